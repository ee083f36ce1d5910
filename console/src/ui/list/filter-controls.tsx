import { Button, CloseButton, Group, ScrollArea, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Check, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../../app/language.js';
import { commonWords } from '../everywhere-words.js';
import type { Choice } from '../picker.js';
import { listWords } from './list-words.js';

/** The value of a filter in its control. */
export interface Bound {
  value: string | undefined;
  onChange: (value: string | null) => void;
  /** Closes the popover of the filter. */
  onDone: () => void;
}

/** A text that must match exactly: applied when it is complete. */
export function TextControl({ label, value, onChange, onDone }: Bound & { label: string }) {
  const words = useWords(listWords);
  const [text, setText] = useState(value ?? '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text.trim() || null);
        onDone();
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={label}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.currentTarget.value)}
          w={220}
          data-autofocus
        />
        <Button type="submit">{words.apply}</Button>
      </Group>
    </form>
  );
}

/** Above this number, choices can be narrowed by typing. */
const CHOICES_READ = 10;

/** One of a few values, all visible. */
export function ChoiceControl({
  label,
  value,
  choices,
  onChange,
  onDone,
}: Bound & { label: string; choices: readonly Choice[]; searchable?: boolean }) {
  const words = useWords(commonWords);
  const [text, setText] = useState('');
  const sought = text.trim().toLowerCase();
  const offered = choices.filter((choice) => choice.label.toLowerCase().includes(sought));
  return (
    <Stack gap={4} w={260}>
      {choices.length > CHOICES_READ && (
        <TextInput
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<Search size={14} />}
          size="xs"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <ScrollArea.Autosize mah={320} type="auto">
        <div role="radiogroup" aria-label={label}>
          {offered.map((choice, at) => (
            <UnstyledButton
              key={choice.value}
              role="radio"
              aria-checked={choice.value === value}
              className="filter-choice"
              data-autofocus={(at === 0 && choices.length <= CHOICES_READ) || undefined}
              onClick={() => {
                onChange(choice.value === value ? null : choice.value);
                onDone();
              }}
            >
              <span>{choice.label}</span>
              {choice.value === value && <Check size={14} aria-hidden />}
            </UnstyledButton>
          ))}
        </div>
      </ScrollArea.Autosize>
    </Stack>
  );
}

const TYPING_MS = 250;

/** Searches after a pause in typing. */
export function SearchBox({
  by,
  value,
  onChange,
}: {
  by: readonly string[];
  value: string | undefined;
  onChange: (value: string | null) => void;
}) {
  const words = useWords(commonWords);
  const placeholder = useWords(listWords).searchBy(...by);
  const [text, setText] = useState(value ?? '');
  const sought = useRef(value ?? '');
  // A search from elsewhere, such as a saved view, replaces the text; the person's own search must not revert what they
  // typed since.
  useEffect(() => {
    if ((value ?? '') !== sought.current) setText(value ?? '');
    sought.current = value ?? '';
  }, [value]);
  const search = (next: string) => {
    sought.current = next.trim();
    onChange(next.trim() || null);
  };
  const tell = useDebouncedCallback((next: string) => {
    // An undone scan changes nothing, and the page may already be about to leave.
    if (next.trim() !== (value ?? '')) search(next);
  }, TYPING_MS);
  return (
    <TextInput
      type="search"
      aria-label={placeholder}
      placeholder={placeholder}
      leftSection={<Search size={16} />}
      rightSection={
        text !== '' && (
          <CloseButton
            size="sm"
            aria-label={words.clearSearch}
            onClick={() => {
              setText('');
              search('');
            }}
          />
        )
      }
      {...(text === '' ? { rightSectionWidth: 8 } : {})}
      value={text}
      maxLength={200}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(text);
      }}
      w={{ base: '100%', xs: 320 }}
    />
  );
}
