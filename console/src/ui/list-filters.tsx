import { type ComponentType, Fragment, type ReactNode } from 'react';
import { useFilters } from '../app/filters.js';
import { DateField } from './date-field.js';
import { readDay } from './date-text.js';
import { ChoiceFilter, FilterBar, SearchFilter } from './filter-bar.js';
import { instantOf } from './local-time.js';
import type { Choice, PickerProps } from './picker.js';

interface Bound {
  value: string | undefined;
  onChange: (value: string | null) => void;
}

/** One filter of a list: its control, and the query parameter that its text in the URL stands for. */
interface ListFilter {
  /** Null: set by links only. */
  control: ((bound: Bound) => ReactNode) | null;
  toParameter: (text: string) => string | undefined;
}

const asIs = (text: string): string => text;

export const textFilter = (label: string): ListFilter => ({
  control: (bound) => <SearchFilter label={label} {...bound} />,
  toParameter: asIs,
});

export const choiceFilter = (
  label: string,
  choices: readonly Choice[],
  looks: { searchable?: boolean } = {},
): ListFilter => ({
  control: (bound) => <ChoiceFilter label={label} choices={choices} {...looks} {...bound} />,
  toParameter: asIs,
});

/** Choosing needs a scope of its own: without it the filter is not offered, but a link may still set it. */
export const pickerFilter = (
  Picker: ComponentType<PickerProps>,
  width: number,
  isOffered = true,
): ListFilter => ({
  control: isOffered ? (bound) => <Picker {...bound} w={{ base: '100%', xs: width }} /> : null,
  toParameter: asIs,
});

/** Set by a link from another page. */
export const linkFilter: ListFilter = { control: null, toParameter: asIs };

const DAY_MS = 86_400_000;

/** A day in the time zone in which times are shown: its start, or its end, so that the last day is included. */
export const dayFilter = (label: string, edge: 'start' | 'end' = 'start'): ListFilter => ({
  control: ({ value, onChange }) => (
    <DateField
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || null)}
      w={{ base: 'calc(50% - 6px)', xs: 170 }}
    />
  ),
  toParameter(day) {
    if (readDay(day) !== day) return undefined;
    const nextDay = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
    return instantOf(`${edge === 'start' ? day : nextDay} 00:00`);
  },
});

export interface ListFilters<K extends string = string> {
  values: Partial<Record<K, string>>;
  /** The query parameters of the list. */
  query: object;
  change: (part: Partial<Record<K, string | null>>) => void;
  isFiltered: boolean;
  clear: () => void;
  controls: ReactNode;
}

/** The filters of a list, bound to the URL, in the order in which they are shown. */
export function useListFilters<K extends string>(filters: Readonly<Record<K, ListFilter>>): ListFilters<K> {
  const names = Object.keys(filters) as K[];
  const [values, change] = useFilters(names);
  const set = (name: K, value: string | null) =>
    change({ [name]: value } as Partial<Record<K, string | null>>);
  return {
    values,
    query: Object.fromEntries(
      names.flatMap((name) => {
        const text = values[name];
        const parameter = text === undefined ? undefined : filters[name].toParameter(text);
        return parameter === undefined ? [] : [[name, parameter]];
      }),
    ),
    change,
    isFiltered: Object.keys(values).length > 0,
    clear: () => change(Object.fromEntries(names.map((name) => [name, null])) as Record<K, null>),
    controls: names.map((name) => (
      <Fragment key={name}>
        {filters[name].control?.({ value: values[name], onChange: (value) => set(name, value) })}
      </Fragment>
    )),
  };
}

/** The controls in a row above the table. */
export const ListFilterBar = ({ filters, children }: { filters: ListFilters; children?: ReactNode }) => (
  <FilterBar>
    {filters.controls}
    {children}
  </FilterBar>
);
