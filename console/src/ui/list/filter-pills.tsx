import { Button, CloseButton, Group, Popover, UnstyledButton } from '@mantine/core';
import { CirclePlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../app/language.js';
import { commonWords } from '../everywhere-words.js';
import type { ListFilter, ListFilters } from '../list-filters.js';
import { SearchBox } from './filter-controls.js';
import { listWords } from './list-words.js';

/** More filters than this would fill a phone before the first row, so unset ones are collapsed there. */
const PILLS_ON_PHONE = 4;

/** The search box of a list, a pill for each filter (filled if set), and the saved views. */
export function FilterPills({
  filters,
  views,
  children,
}: {
  filters: ListFilters;
  views?: ReactNode;
  children?: ReactNode;
}) {
  const words = useWords(commonWords);
  const list = useWords(listWords);
  const [isOpen, setOpen] = useState(false);
  const isMany = filters.all.filter(({ filter }) => filter.control !== null).length > PILLS_ON_PHONE;
  return (
    <Group
      gap="xs"
      mb="sm"
      align="center"
      wrap="wrap"
      className="no-print"
      role="group"
      aria-label={list.filters}
    >
      {filters.search && <SearchBox {...filters.search} />}
      {isMany && (
        <Button
          variant="default"
          size="compact-sm"
          hiddenFrom="sm"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {list.filters}
        </Button>
      )}
      {filters.all.map(({ name, filter }) => (
        <Pill
          key={name}
          filter={filter}
          isFolded={isMany && !isOpen}
          value={filters.values[name]}
          onChange={(value) => filters.change({ [name]: value })}
        />
      ))}
      {filters.isFiltered && (
        <Button variant="subtle" size="compact-sm" onClick={filters.clear}>
          {words.clearFilters}
        </Button>
      )}
      {views}
      {children && (
        <Group gap="xs" ml="auto">
          {children}
        </Group>
      )}
    </Group>
  );
}

function Pill({
  filter: { label, control, shown, isRequired = false },
  isFolded,
  value,
  onChange,
}: {
  filter: ListFilter;
  isFolded: boolean;
  value: string | undefined;
  onChange: (value: string | null) => void;
}) {
  const words = useWords(listWords);
  const [opened, setOpened] = useState(false);
  const isSet = value !== undefined;
  // A filter set by a link can be removed.
  if (control === null && !isSet) return null;
  const close = () => setOpened(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      withRoles={false}
    >
      <Popover.Target>
        <span className="filter-pill" data-set={isSet || undefined} data-folded={isFolded || undefined}>
          <UnstyledButton
            className="filter-pill-name"
            disabled={control === null}
            aria-haspopup={control === null ? undefined : 'dialog'}
            aria-expanded={control === null ? undefined : opened}
            onClick={() => setOpened(!opened)}
          >
            {!isSet && <CirclePlus size={14} aria-hidden />}
            <span className="filter-pill-label">{label}</span>
            {isSet && (
              <>
                <span className="filter-pill-bar" aria-hidden />
                <b>{shown(value)}</b>
              </>
            )}
          </UnstyledButton>
          {isSet && !isRequired && (
            <CloseButton
              size="xs"
              radius="xl"
              aria-label={words.removeFilter(label)}
              onClick={() => onChange(null)}
            />
          )}
        </span>
      </Popover.Target>
      <Popover.Dropdown p="xs" role="dialog" aria-label={label}>
        {opened && control?.({ value, onChange, onDone: close })}
      </Popover.Dropdown>
    </Popover>
  );
}
