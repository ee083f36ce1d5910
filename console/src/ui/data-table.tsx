import { ScrollArea, Table } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { useLanguage } from '../app/language.js';
import { SelectAll, SelectCell } from './list/select-cells.js';
import type { Selection } from './list/selection.js';
import { EmptyTable, type TableLooks } from './table-looks.js';
import {
  type Column,
  DataCells,
  DetailCell,
  DetailRow,
  type Direction,
  HeadCells,
  type Sorting,
} from './table-parts.js';

export { DataTable } from './list/data-list.js';
export type { Column } from './table-parts.js';

/** Rows that are already loaded. */
export function ItemTable<I>({
  items,
  columns,
  rowKey,
  label,
  detail,
  selection,
  ...looks
}: TableLooks<I> & { items: readonly I[]; selection?: Selection<I> | undefined }) {
  const sorting = useSorting(items, columns);
  if (items.length === 0) return <EmptyTable {...looks} />;
  return (
    <ScrollArea
      type="auto"
      scrollbars="x"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      <Table verticalSpacing="xs" horizontalSpacing="sm" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {selection && <SelectAll items={items} selection={selection} />}
            {detail && <Table.Td w={36} />}
            <HeadCells columns={columns} sorting={sorting} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorting.items.map((item) => (
            <Row key={rowKey(item)} item={item} columns={columns} detail={detail} selection={selection} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

function useSorting<I>(
  items: readonly I[],
  columns: readonly Column<I>[],
): Sorting<I> & { items: readonly I[] } {
  const { language } = useLanguage();
  const [sorted, setSorted] = useState<{ name: string; direction: Direction } | null>(null);
  const of = (column: Column<I>) => (sorted?.name === column.name ? sorted.direction : undefined);
  const by = columns.find(of)?.by;
  const sign = sorted?.direction === 'descending' ? -1 : 1;
  const compare = new Intl.Collator(language, { numeric: true }).compare;
  const order = (by: NonNullable<Column<I>['by']>) => (one: I, other: I) => {
    const [a, b] = [by(one), by(other)];
    // Empty values come last in both directions.
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const difference = typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
    return sign * difference;
  };
  return {
    items: by ? [...items].sort(order(by)) : items,
    canSort: (column) => column.by !== undefined,
    of,
    // Ascending, descending, then the original order.
    press(column) {
      const direction = of(column);
      if (direction === 'descending') setSorted(null);
      else setSorted({ name: column.name, direction: direction ? 'descending' : 'ascending' });
    },
  };
}

function Row<I>({
  item,
  columns,
  detail,
  selection,
}: {
  item: I;
  columns: readonly Column<I>[];
  detail: ((item: I) => ReactNode) | undefined;
  selection: Selection<I> | undefined;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <Fragment>
      <Table.Tr className="list-row" data-selected={selection?.has(item) || undefined}>
        {selection && <SelectCell item={item} selection={selection} />}
        {detail && <DetailCell opened={opened} onToggle={() => setOpened(!opened)} />}
        <DataCells columns={columns} item={item} />
      </Table.Tr>
      {detail && opened && (
        <DetailRow columns={columns.length + (selection ? 2 : 1)}>{detail(item)}</DetailRow>
      )}
    </Fragment>
  );
}
