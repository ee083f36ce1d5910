import { Box, Table } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { TableLooks } from '../table-looks.js';
import {
  type Column,
  DataCells,
  DetailCell,
  DetailRow,
  HeadCells,
  isOnRowItself,
  type Sorting,
} from '../table-parts.js';
import { SelectAll, SelectCell } from './select-cells.js';
import type { Selection } from './selection.js';
import { useFittingMark, useFixedWidths, useWindowedRows } from './windowed-rows.js';

/** The order of a list, and how it is changed: `name` ascending, `-name` descending. */
export interface ListOrder {
  sort: string | undefined;
  /** The order of the list without a `sort`. */
  usual: string;
  onSort: (sort: string | null) => void;
}

const sortingOf = <I,>(order: ListOrder | undefined): Sorting<I> => {
  const current = order?.sort ?? order?.usual;
  return {
    canSort: ({ sort }) => order !== undefined && sort !== undefined,
    of: ({ sort }) =>
      sort === undefined || order === undefined
        ? undefined
        : current === sort
          ? 'ascending'
          : current === `-${sort}`
            ? 'descending'
            : undefined,
    press({ sort }) {
      if (sort === undefined || order === undefined) return;
      const next = current === sort ? `-${sort}` : sort;
      order.onSort(next === order.usual ? null : next);
    },
  };
};

type Rows<I> = { item: I; key: string; isDetail: boolean }[];

/** If there are many rows, only those near the screen are rendered. */
export function RowTable<I>({
  items,
  total,
  columns,
  rowKey,
  label,
  detail,
  order,
  selection,
}: Pick<TableLooks<I>, 'columns' | 'rowKey' | 'label' | 'detail'> & {
  items: readonly I[];
  total: { count: number; isExact: boolean };
  order?: ListOrder | undefined;
  selection?: Selection<I> | undefined;
}) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => setOpened((before) => toggled(before, key));
  const rows: Rows<I> = items.flatMap((item) => {
    const key = rowKey(item);
    const row = { item, key, isDetail: false };
    return detail && opened.has(key) ? [row, { item, key, isDetail: true }] : [row];
  });
  const table = useRef<HTMLTableElement>(null);
  const windowed = useWindowedRows(rows.length, table);
  const widths = useFixedWidths(table, windowed.isWindowed, windowed.rows.length > 0);
  useFittingMark(table);
  const width = columns.length + (detail ? 1 : 0) + (selection ? 1 : 0);
  return (
    <Box className="list-scroll" tabIndex={0} role="region" aria-label={label}>
      <Table
        ref={table}
        verticalSpacing="xs"
        horizontalSpacing="sm"
        aria-label={label}
        aria-rowcount={total.isExact ? total.count + 1 : -1}
        layout={widths ? 'fixed' : 'auto'}
      >
        <Table.Thead className="list-head">
          <Table.Tr>
            {selection && <SelectAll items={items} selection={selection} />}
            {detail && <Table.Td w={36} />}
            <HeadCells columns={columns} sorting={sortingOf<I>(order)} widths={widths} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody onKeyDown={moveByArrow}>
          <Gap height={windowed.before} columns={width} />
          {windowed.rows.map((at) => {
            const row = rows[at];
            if (!row) return null;
            if (row.isDetail)
              return (
                <DetailRow key={`${row.key} detail`} columns={width} index={at} measure={windowed.measure}>
                  {detail?.(row.item)}
                </DetailRow>
              );
            return (
              <ListRow
                key={row.key}
                row={row}
                index={at}
                measure={windowed.measure}
                columns={columns}
                selection={selection}
                opening={detail && { isOpen: opened.has(row.key), toggle: () => toggle(row.key) }}
              />
            );
          })}
          <Gap height={windowed.after} columns={width} />
        </Table.Tbody>
      </Table>
    </Box>
  );
}

const toggled = (before: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const after = new Set(before);
  if (!after.delete(key)) after.add(key);
  return after;
};

/** Takes the place of rows that are not rendered. */
const Gap = ({ height, columns }: { height: number; columns: number }): ReactNode =>
  height > 0 && (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );

function ListRow<I>({
  row: { item },
  index,
  measure,
  columns,
  selection,
  opening,
}: {
  row: Rows<I>[number];
  index: number;
  measure: (row: Element | null) => void;
  columns: readonly Column<I>[];
  selection: Selection<I> | undefined;
  opening: { isOpen: boolean; toggle: () => void } | undefined;
}) {
  return (
    <Table.Tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className="list-row"
      data-opens={opening ? true : undefined}
      data-selected={selection?.has(item) || undefined}
      onClick={opening && ((event) => isOnRowItself(event) && opening.toggle())}
    >
      {selection && <SelectCell item={item} selection={selection} />}
      {opening && <DetailCell opened={opening.isOpen} onToggle={opening.toggle} />}
      <DataCells columns={columns} item={item} />
    </Table.Tr>
  );
}

/** Arrow keys move from the link of one row to that of the next. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement) || !event.target.matches('.row-link'))
    return;
  // A row has two links if a column moves below another on a phone.
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.row-link')].filter((link) =>
    link.checkVisibility(),
  );
  const next = links[links.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
