import { ActionIcon, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowDownUp, ArrowUp, ChevronDown, ChevronRight } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { useWords } from '../app/language.js';
import { commonWords } from './everywhere-words.js';

export interface Column<I> {
  name: string;
  show: (item: I) => ReactNode;
  align?: 'left' | 'right';
  /** On a narrow screen, omitted or shown below the first column. */
  wide?: true | 'below';
  /** Shown below the first column instead of `show`. */
  below?: (item: I) => ReactNode;
  /** The sort key of the column, for tables with all rows loaded. */
  by?: (item: I) => string | number | null;
  /** The service's `sort` for this column, for lists that load page by page. */
  sort?: string;
}

export type Direction = 'ascending' | 'descending';

/** The order of a table, as its header shows and changes it. */
export interface Sorting<I> {
  canSort: (column: Column<I>) => boolean;
  /** Undefined if rows are not sorted by it. */
  of: (column: Column<I>) => Direction | undefined;
  press: (column: Column<I>) => void;
}

export function HeadCells<I>({
  columns,
  sorting,
  widths,
}: {
  columns: readonly Column<I>[];
  sorting: Sorting<I>;
  /** Fixed widths in pixels, by column. */
  widths?: readonly number[] | null;
}) {
  return columns.map((column, at) => (
    <Table.Th
      key={column.name}
      data-column
      ta={column.align ?? 'left'}
      visibleFrom={column.wide ? 'sm' : undefined}
      style={{ wordBreak: 'keep-all', verticalAlign: 'bottom', ...(widths ? { width: widths[at] } : {}) }}
      aria-sort={sorting.of(column)}
    >
      {sorting.canSort(column) ? <SortingHead column={column} sorting={sorting} /> : column.name}
    </Table.Th>
  ));
}

function SortingHead<I>({ column, sorting }: { column: Column<I>; sorting: Sorting<I> }) {
  const direction = sorting.of(column);
  const Arrow = direction === undefined ? ArrowDownUp : direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <UnstyledButton fz="inherit" fw="inherit" onClick={() => sorting.press(column)}>
      <Group gap={4} wrap="nowrap" justify={column.align === 'right' ? 'flex-end' : 'flex-start'}>
        {column.name}
        <Arrow size={12} aria-hidden opacity={direction ? 1 : 0.4} />
      </Group>
    </UnstyledButton>
  );
}

/** The cell that expands a row. */
export function DetailCell({ opened, onToggle }: { opened: boolean; onToggle: () => void }) {
  const words = useWords(commonWords);
  const Chevron = opened ? ChevronDown : ChevronRight;
  return (
    <Table.Td pr={0}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-expanded={opened}
        aria-label={words.details}
        onClick={onToggle}
      >
        <Chevron size={16} />
      </ActionIcon>
    </Table.Td>
  );
}

/** Details of a row: hovering highlights their content, not the row. */
export const DetailRow = ({
  columns,
  children,
  index,
  measure,
}: {
  columns: number;
  children: ReactNode;
  index?: number;
  measure?: (row: Element | null) => void;
}) => (
  <Table.Tr style={{ background: 'none' }} data-index={index} ref={measure ?? null}>
    {/* Without its own width, a long line inside would widen the whole table. */}
    <Table.Td colSpan={columns} maw={0}>
      {children}
    </Table.Td>
  </Table.Tr>
);

/** Whether a click hits the row rather than something in it, and does not end a text selection. */
export const isOnRowItself = ({ target, currentTarget }: MouseEvent): boolean =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest('a, button, input, label') === null &&
  getSelection()?.isCollapsed !== false;

export const DataCells = <I,>({ columns, item }: { columns: readonly Column<I>[]; item: I }) =>
  columns.map((column, at) => (
    <Cell key={column.name} column={column} item={item}>
      {at === 0 &&
        columns
          .filter(({ wide }) => wide === 'below')
          .map((below) => (
            <Text key={below.name} component="div" size="xs" c="dimmed" pt={2} hiddenFrom="sm">
              {(below.below ?? below.show)(item)}
            </Text>
          ))}
    </Cell>
  ));

const SHORT_TEXT_MAX = 24;
/** A Chinese character is as wide as two letters. */
const isShortText = (text: string): boolean =>
  text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0) <= SHORT_TEXT_MAX;

/** A code, a date or an amount stays on one line; longer texts wrap. */
function Cell<I>({ column, item, children }: { column: Column<I>; item: I; children: ReactNode }) {
  const shown = column.show(item);
  const isShort = typeof shown === 'string' && isShortText(shown);
  return (
    <Table.Td ta={column.align ?? 'left'} visibleFrom={column.wide ? 'sm' : undefined}>
      {/* Applies only to the text itself, because columns shown below it wrap. */}
      {isShort ? <span style={{ whiteSpace: 'nowrap' }}>{shown}</span> : shown}
      {children}
    </Table.Td>
  );
}
