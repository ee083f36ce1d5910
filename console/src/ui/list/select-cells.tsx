import { Checkbox, Table } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { listWords } from './list-words.js';
import type { Selection } from './selection.js';

/** The head of the column in which rows are chosen. */
export function SelectAll<I>({ items, selection }: { items: readonly I[]; selection: Selection<I> }) {
  const words = useWords(listWords);
  const count = items.filter((item) => selection.has(item)).length;
  return (
    <Table.Th w={36} pr={0}>
      <Checkbox
        size="xs"
        aria-label={words.selectAll}
        checked={count === items.length}
        indeterminate={count > 0 && count < items.length}
        onChange={() => (count === items.length ? selection.clear() : selection.add(items))}
      />
    </Table.Th>
  );
}

export function SelectCell<I>({ item, selection }: { item: I; selection: Selection<I> }) {
  const words = useWords(listWords);
  return (
    <Table.Td w={36} pr={0}>
      <Checkbox
        size="xs"
        aria-label={words.selectRow(selection.nameOf(item))}
        checked={selection.has(item)}
        onChange={() => selection.toggle(item)}
      />
    </Table.Td>
  );
}
