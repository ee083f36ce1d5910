import {
  ActionIcon,
  Box,
  Button,
  Group,
  ScrollArea,
  Skeleton,
  Table,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { ArrowDown, ArrowDownUp, ArrowUp, ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import type { ListResult } from '../app/api.js';
import { isUnreachable } from '../app/connection.js';
import { useLanguage, useWords } from '../app/language.js';
import { Empty } from './empty.js';
import { commonWords } from './everywhere-words.js';
import { Problem } from './problem.js';

export interface Column<I> {
  name: string;
  show: (item: I) => ReactNode;
  align?: 'left' | 'right';
  /** Left out on a narrow screen. */
  wide?: true;
  /** The sort key of the column. Only for tables that have all their rows: paged lists keep the service's order. */
  by?: (item: I) => string | number | null;
}

export interface TableLooks<I> {
  columns: readonly Column<I>[];
  rowKey: (item: I) => string;
  /** Shown when the list is empty, compact among many; with filters set, the table says that nothing matches. */
  empty?: { title: string; hint?: string; action?: ReactNode; isCompact?: boolean } | undefined;
  filtered?: boolean;
  onClearFilters?: () => void;
  /** The accessible name of the table. */
  label: string;
  /** More about a row, shown below it when it is opened. */
  detail?: (item: I) => ReactNode;
}

/** A list of the service, page by page, with all the states it can be in. */
export function DataTable<I>({ list, ...looks }: TableLooks<I> & { list: ListResult<I> }) {
  const words = useWords(commonWords);
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (list.isPending) return <LoadingRows columns={looks.columns.length} />;
  if (list.isError && items.length === 0)
    return <Problem error={list.error} onRetry={() => list.refetch()} />;
  return (
    <>
      {list.isError && !isUnreachable(list.error) && (
        <Problem error={list.error} onRetry={() => list.refetch()} />
      )}
      <ItemTable items={items} {...looks} />
      {items.length > 0 && (
        <Group justify="space-between" mt="sm">
          <Text size="xs" c="dimmed" aria-live="polite">
            {words.items(items.length)}
          </Text>
          {list.hasNextPage && (
            <Button
              variant="default"
              size="xs"
              loading={list.isFetchingNextPage}
              onClick={() => list.fetchNextPage()}
            >
              {words.more}
            </Button>
          )}
        </Group>
      )}
    </>
  );
}

/** Rows that are there already. */
export function ItemTable<I>({
  items,
  columns,
  rowKey,
  empty,
  filtered,
  onClearFilters,
  label,
  detail,
}: TableLooks<I> & { items: readonly I[] }) {
  const words = useWords(commonWords);
  const sorting = useSorting(items, columns);
  if (items.length === 0 && filtered) {
    return (
      <Empty title={words.nothingFound}>
        {onClearFilters && (
          <Button variant="light" size="xs" onClick={onClearFilters}>
            {words.clearFilters}
          </Button>
        )}
      </Empty>
    );
  }
  if (items.length === 0 && empty?.isCompact)
    return (
      <Text size="sm" c="dimmed">
        {empty.title}
      </Text>
    );
  if (items.length === 0)
    return (
      <Empty title={empty?.title ?? words.nothing} hint={empty?.hint}>
        {empty?.action}
      </Empty>
    );
  return (
    <ScrollArea
      type="auto"
      scrollbars="x"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      <Table verticalSpacing="xs" horizontalSpacing="sm" highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {detail && <Table.Td w={36} />}
            {columns.map((column) => (
              <Table.Th
                key={column.name}
                ta={column.align ?? 'left'}
                visibleFrom={column.wide ? 'sm' : undefined}
                style={{ wordBreak: 'keep-all', verticalAlign: 'bottom' }}
                aria-sort={sorting.of(column)}
              >
                {column.by ? <SortingHead column={column} sorting={sorting} /> : column.name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorting.items.map((item) => (
            <Row key={rowKey(item)} item={item} columns={columns} detail={detail} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

type Direction = 'ascending' | 'descending';
interface Sorting<I> {
  items: readonly I[];
  /** Undefined: rows are not sorted by it. */
  of: (column: Column<I>) => Direction | undefined;
  /** Up, down, and back to the order in which they came. */
  press: (column: Column<I>) => void;
}

function useSorting<I>(items: readonly I[], columns: readonly Column<I>[]): Sorting<I> {
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
    of,
    press(column) {
      const direction = of(column);
      if (direction === 'descending') setSorted(null);
      else setSorted({ name: column.name, direction: direction ? 'descending' : 'ascending' });
    },
  };
}

function SortingHead<I>({ column, sorting }: { column: Column<I>; sorting: Sorting<I> }) {
  const direction = sorting.of(column);
  const Arrow = direction === undefined ? ArrowDownUp : direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <UnstyledButton fz="inherit" fw="inherit" onClick={() => sorting.press(column)}>
      <Group gap={4} wrap="nowrap" justify={column.align === 'right' ? 'flex-end' : 'flex-start'}>
        {column.name}
        <Arrow size={12} aria-hidden opacity={direction ? 1 : 0.5} />
      </Group>
    </UnstyledButton>
  );
}

function Row<I>({
  item,
  columns,
  detail,
}: {
  item: I;
  columns: readonly Column<I>[];
  detail: ((item: I) => ReactNode) | undefined;
}) {
  const words = useWords(commonWords);
  const [opened, setOpened] = useState(false);
  const Chevron = opened ? ChevronDown : ChevronRight;
  return (
    <Fragment>
      <Table.Tr>
        {detail && (
          <Table.Td pr={0}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-expanded={opened}
              aria-label={words.details}
              onClick={() => setOpened(!opened)}
            >
              <Chevron size={16} />
            </ActionIcon>
          </Table.Td>
        )}
        {columns.map((column) => (
          <Cell key={column.name} column={column} item={item} />
        ))}
      </Table.Tr>
      {detail && opened && (
        // It is not a row to point at: what is in it is.
        <Table.Tr style={{ background: 'none' }}>
          {/* Without a width of its own a long line inside would widen the whole table. */}
          <Table.Td colSpan={columns.length + 1} maw={0}>
            {detail(item)}
          </Table.Td>
        </Table.Tr>
      )}
    </Fragment>
  );
}

const SHORT_TEXT_MAX = 24;

/** A code, a date or an amount stays on one line; longer texts wrap. */
function Cell<I>({ column, item }: { column: Column<I>; item: I }) {
  const shown = column.show(item);
  const isShort = typeof shown === 'string' && shown.length <= SHORT_TEXT_MAX;
  return (
    <Table.Td
      ta={column.align ?? 'left'}
      visibleFrom={column.wide ? 'sm' : undefined}
      style={isShort ? { whiteSpace: 'nowrap' } : undefined}
    >
      {shown}
    </Table.Td>
  );
}

const ROWS = 6;

function LoadingRows({ columns }: { columns: number }) {
  const words = useWords(commonWords);
  return (
    <Box role="status" aria-label={words.loading}>
      {Array.from({ length: ROWS }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike
        <Group key={row} grow gap="md" py={10}>
          {Array.from({ length: Math.min(columns, 5) }, (_each, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike
            <Skeleton key={column} height={12} radius="sm" />
          ))}
        </Group>
      ))}
    </Box>
  );
}
