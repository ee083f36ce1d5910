import { Checkbox, Table } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { listWords } from './list-words.js';
import type { Selection } from './selection.js';

/** The header cell of the selection column. */
export function SelectAll<I>({ items, selection }: { items: readonly I[]; selection: Selection<I> }) {
  const words = useWords(listWords);
  const offered = items.filter(selection.canSelect);
  const count = offered.filter((item) => selection.has(item)).length;
  const isAll = count === offered.length;
  return (
    <Table.Th w={36} pr={0}>
      {offered.length > 0 && (
        <Checkbox
          size="xs"
          aria-label={words.selectAll}
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          onChange={() => (isAll ? selection.clear() : selection.add(offered))}
        />
      )}
    </Table.Th>
  );
}

export function SelectCell<I>({ item, selection }: { item: I; selection: Selection<I> }) {
  const words = useWords(listWords);
  return (
    <Table.Td w={36} pr={0}>
      {selection.canSelect(item) && (
        <Checkbox
          size="xs"
          aria-label={words.selectRow(selection.nameOf(item))}
          checked={selection.has(item)}
          onChange={() => selection.toggle(item)}
        />
      )}
    </Table.Td>
  );
}
