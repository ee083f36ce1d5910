import type { ComponentType, ReactNode } from 'react';
import { useFilters } from '../app/filters.js';
import { useFormat } from '../app/format.js';
import { DateField } from './date-field.js';
import { readDay } from './date-text.js';
import { type Bound, ChoiceControl, TextControl } from './list/filter-controls.js';
import { instantOf } from './local-time.js';
import type { Choice, PickerProps } from './picker.js';

/** One filter of a list: its control, its chip, and the query parameter that its URL text represents. */
export interface ListFilter {
  label: string;
  /** Null if only links can set it. */
  control: ((bound: Bound) => ReactNode) | null;
  /** The value as people read it. */
  shown: (text: string) => ReactNode;
  toParameter: (text: string) => string | undefined;
  /** Can be changed, but not removed. */
  isRequired?: boolean;
  /** The default if the URL has no value. */
  usual?: string;
}

/** The search box of a list: any part of a name or number. */
export interface ListSearch {
  /** The nouns for what is searched. */
  by: readonly string[];
}

const asIs = (text: string): string => text;

/** An exact text, such as an id. */
export const textFilter = (label: string): ListFilter => ({
  label,
  control: (bound) => <TextControl label={label} {...bound} />,
  shown: asIs,
  toParameter: asIs,
});

export const choiceFilter = (
  label: string,
  choices: readonly Choice[],
  looks: { searchable?: boolean } = {},
): ListFilter => ({
  label,
  control: (bound) => <ChoiceControl label={label} choices={choices} {...looks} {...bound} />,
  shown: (text) => choices.find(({ value }) => value === text)?.label ?? text,
  toParameter: asIs,
});

/** A picker, and how a filter displays what was picked. */
export type FilterPicker = ComponentType<PickerProps> & {
  Chosen: ComponentType<{ value: string }>;
};

/** Choosing needs its own scope: without it the filter is not offered, but a link may still set it. */
export const pickerFilter = (label: string, Picker: FilterPicker, isOffered = true): ListFilter => ({
  label,
  control: isOffered
    ? ({ value, onChange, onDone }) => (
        <Picker
          label={label}
          value={value}
          onChange={(next) => {
            onChange(next);
            onDone();
          }}
          w={300}
          data-autofocus
          comboboxProps={{ withinPortal: false }}
        />
      )
    : null,
  shown: (text) => (isOffered ? <Picker.Chosen value={text} /> : text),
  toParameter: asIs,
});

/** Set by a link from another page. */
export const linkFilter = (label: string): ListFilter => ({
  label,
  control: null,
  shown: asIs,
  toParameter: asIs,
});

const DAY_MS = 86_400_000;

/** A day: its start, or its end, so that the last day is included; in the displayed time zone, unless one is given. */
export const dayFilter = (label: string, edge: 'start' | 'end' = 'start', timeZone?: string): ListFilter => ({
  label,
  control: ({ value, onChange }) => (
    <DateField
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || null)}
      w={200}
      data-autofocus
    />
  ),
  shown: (day) => <Day day={day} />,
  toParameter(day) {
    if (readDay(day) !== day) return undefined;
    const nextDay = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
    return instantOf(`${edge === 'start' ? day : nextDay} 00:00`, timeZone);
  },
});

const Day = ({ day }: { day: string }) => useFormat().day(day);

export interface ListFilters<K extends string = string> {
  values: Partial<Record<K, string>>;
  /** The query parameters of the list, excluding the order. */
  query: Record<string, string>;
  change: (part: Partial<Record<K, string | null>>) => void;
  isFiltered: boolean;
  clear: () => void;
  /** In display order. */
  all: readonly { name: K; filter: ListFilter }[];
  search: (ListSearch & { value: string | undefined; onChange: (text: string | null) => void }) | null;
  sort: string | undefined;
  onSort: (sort: string | null) => void;
}

/** The view of a list: filters, search and order, all of it in the URL. */
export function useListFilters<K extends string>(
  filters: Readonly<Record<K, ListFilter>>,
  search: ListSearch | null = null,
): ListFilters<K> {
  const names = Object.keys(filters) as K[];
  const [given, changeAny] = useFilters<string>([...names, 'q', 'sort']);
  const { q, sort, ...rest } = given;
  const usual = names.flatMap((name) =>
    filters[name].usual === undefined ? [] : [[name, filters[name].usual]],
  );
  const values = { ...Object.fromEntries(usual), ...rest } as Partial<Record<K, string>>;
  const parameters = names.flatMap((name) => {
    const text = values[name];
    const parameter = text === undefined ? undefined : filters[name].toParameter(text);
    return parameter === undefined ? [] : [[name, parameter]];
  });
  return {
    values,
    query: Object.fromEntries([...parameters, ...(search && q !== undefined ? [['q', q]] : [])]),
    change: changeAny,
    isFiltered: Object.keys(rest).length > 0 || (search !== null && q !== undefined),
    clear: () => changeAny({ ...Object.fromEntries(names.map((name) => [name, null])), q: null }),
    all: names.map((name) => ({ name, filter: filters[name] })),
    search: search && { ...search, value: q, onChange: (text) => changeAny({ q: text }) },
    sort,
    onSort: (next) => changeAny({ sort: next }),
  };
}
