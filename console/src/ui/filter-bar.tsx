import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

/** Filters in a row above a table. */
export const FilterBar = ({ children }: { children: ReactNode }) => (
  <Group gap="sm" mb="sm" align="flex-end" wrap="wrap" className="no-print">
    {children}
  </Group>
);

const TYPING_MS = 300;

/** Searches when somebody stops typing. */
export function SearchFilter({
  label,
  value,
  onChange,
  placeholder,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | null) => void;
  placeholder?: string;
}) {
  const [text, setText] = useState(value ?? '');
  useEffect(() => setText(value ?? ''), [value]);
  const tell = useDebouncedCallback((next: string) => {
    // A scan that was undone changes nothing, and the page may be on its way to another by now.
    if (next.trim() !== (value ?? '')) onChange(next.trim() || null);
  }, TYPING_MS);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      leftSection={<Search size={16} />}
      value={text}
      maxLength={200}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
      w={{ base: '100%', xs: 240 }}
    />
  );
}

export function ChoiceFilter({
  label,
  value,
  choices,
  onChange,
  searchable = false,
}: {
  label: string;
  value: string | undefined;
  choices: readonly { value: string; label: string }[];
  onChange: (value: string | null) => void;
  searchable?: boolean;
}) {
  return (
    <Select
      label={label}
      value={value ?? null}
      data={[...choices]}
      onChange={onChange}
      clearable
      searchable={searchable}
      w={{ base: '100%', xs: 200 }}
      comboboxProps={{ withinPortal: true }}
    />
  );
}
