import { ActionIcon, Box, Button, Group, ScrollArea, Skeleton, Table, Text } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import type { ListResult } from '../app/api.js';
import { useWords } from '../app/language.js';
import { Empty } from './empty.js';
import { commonWords } from './everywhere-words.js';
import { Problem } from './problem.js';

export interface Column<I> {
  name: string;
  show: (item: I) => ReactNode;
  align?: 'left' | 'right';
  /** Left out on a narrow screen. */
  wide?: true;
}

interface Looks<I> {
  columns: readonly Column<I>[];
  rowKey: (item: I) => string;
  /** Said when there is nothing at all; with filters set, that nothing matches. */
  empty?: { title: string; hint?: string; action?: ReactNode } | undefined;
  filtered?: boolean;
  onClearFilters?: () => void;
  /** What the table is a table of, for those who cannot see it. */
  label: string;
  /** More about a row, shown below it when it is opened. */
  detail?: (item: I) => ReactNode;
}

/** A list of the service, page by page, with all the states it can be in. */
export function DataTable<I>({ list, ...looks }: Looks<I> & { list: ListResult<I> }) {
  const words = useWords(commonWords);
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (list.isPending) return <LoadingRows columns={looks.columns.length} />;
  if (list.isError && items.length === 0)
    return <Problem error={list.error} onRetry={() => list.refetch()} />;
  return (
    <>
      {list.isError && <Problem error={list.error} onRetry={() => list.refetch()} />}
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
}: Looks<I> & { items: readonly I[] }) {
  const words = useWords(commonWords);
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
                style={{ whiteSpace: 'nowrap' }}
              >
                {column.name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Row key={rowKey(item)} item={item} columns={columns} detail={detail} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
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
          <Table.Td
            key={column.name}
            ta={column.align ?? 'left'}
            visibleFrom={column.wide ? 'sm' : undefined}
          >
            {column.show(item)}
          </Table.Td>
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
