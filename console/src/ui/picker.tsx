import { Loader, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

export interface Choice {
  value: string;
  label: string;
}

const TYPING_MS = 250;

/** The typed text, and the search term that follows it after a pause in typing. */
export function usePickerSearch(): { text: string; sought: string; change: (text: string) => void } {
  const [text, change] = useState('');
  const [sought] = useDebouncedValue(text.trim(), TYPING_MS);
  return { text, sought, change };
}

export type PickerProps = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string | null | undefined;
  onChange: (value: string | null) => void;
};

/**
 * Keeps the value while a finger or mouse button is down: an option that new results move or remove between press and
 * release would silently not be chosen.
 */
function useSteadyWhilePressed(choices: Choice[]): Choice[] {
  const latest = useRef(choices);
  latest.current = choices;
  const [held, setHeld] = useState<Choice[] | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    const release = () => setHeld(null);
    addEventListener('pointerdown', () => setHeld(latest.current), options);
    // The click that chooses comes after the release.
    addEventListener('pointerup', () => setTimeout(release), options);
    addEventListener('pointercancel', release, options);
    return () => stop.abort();
  }, []);
  return held ?? choices;
}

/** Chooses one of many records, searched by the service while the user types. */
export function RemotePicker({
  choices,
  chosen,
  loading,
  search,
  value,
  ...props
}: PickerProps & {
  choices: readonly Choice[];
  /** The selected record, which may not be among the search results. */
  chosen: Choice | undefined;
  loading: boolean;
  search: ReturnType<typeof usePickerSearch>;
}) {
  const found =
    chosen && !choices.some((each) => each.value === chosen.value) ? [chosen, ...choices] : [...choices];
  const data = useSteadyWhilePressed(found);
  const isChosenText = chosen !== undefined && search.text === chosen.label;
  return (
    <Select
      searchable
      clearable
      // Selecting the selected record again must not clear the field; a button does that.
      allowDeselect={false}
      {...props}
      value={value ?? null}
      data={data}
      // The service has already filtered, and the label of the selected record is not a search term.
      filter={({ options }) => options}
      onSearchChange={(text) => search.change(isChosenText && text === chosen?.label ? '' : text)}
      rightSection={loading ? <Loader size={16} /> : undefined}
      comboboxProps={{ withinPortal: true }}
      maxDropdownHeight={280}
    />
  );
}
