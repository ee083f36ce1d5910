import { Box, Button, Group, Skeleton, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect, useMemo } from 'react';
import type { CountedList } from '../../app/api.js';
import { isUnreachable } from '../../app/connection.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../everywhere-words.js';
import { Problem } from '../problem.js';
import { EmptyTable, type TableLooks } from '../table-looks.js';
import { listWords } from './list-words.js';
import { type ListOrder, RowTable } from './row-table.js';
import type { Selection } from './selection.js';

export interface ListLooks<I> extends TableLooks<I> {
  /** The noun after the number of rows: “orders”. By default, the number is not shown. */
  noun?: string | undefined;
  order?: ListOrder | undefined;
  selection?: Selection<I> | undefined;
}

/** A list of the service that loads more rows while scrolling, with all its states. */
export function DataTable<I>({ list, noun, ...looks }: ListLooks<I> & { list: CountedList<I> }) {
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  if (list.isPending) return <LoadingRows columns={looks.columns.length} rows={ROWS} />;
  if (list.isError && items.length === 0)
    return <Problem error={list.error} onRetry={() => list.refetch()} />;
  return (
    <>
      {list.isRefetchError && !isUnreachable(list.error) && (
        <Problem error={list.error} onRetry={() => list.refetch()} />
      )}
      {items.length === 0 ? (
        <EmptyTable {...looks} />
      ) : (
        <>
          {noun !== undefined && <Total list={list} loaded={items.length} noun={noun} />}
          <RowTable items={items} total={totalOf(list, items.length)} {...looks} />
          <NextRows list={list} loaded={items.length} columns={looks.columns.length} />
        </>
      )}
    </>
  );
}

interface Total {
  count: number;
  isExact: boolean;
}

/** If everything is loaded, the number of rows is the total. */
function totalOf<I>(list: CountedList<I>, loaded: number): Total {
  if (!list.hasNextPage) return { count: loaded, isExact: true };
  const { total } = list;
  // The list may have grown since it was counted.
  if (total === undefined || total.count < loaded) return { count: loaded, isExact: false };
  return total;
}

function Total<I>({ list, loaded, noun }: { list: CountedList<I>; loaded: number; noun: string }) {
  const words = useWords(listWords);
  const format = useFormat();
  const { count, isExact } = totalOf(list, loaded);
  return (
    <Text size="sm" fw={600} mb={4} aria-live="polite">
      {(isExact ? words.total : words.atLeast)(format.number(count), noun)}
    </Text>
  );
}

/** The distance below the screen at which the next rows are fetched. */
const AHEAD = '800px';

/** The end of the loaded rows: scrolling near it loads more, and so does the button, which a keyboard can reach. */
function NextRows<I>({ list, loaded, columns }: { list: CountedList<I>; loaded: number; columns: number }) {
  const words = useWords(listWords);
  const format = useFormat();
  const { count, isExact } = totalOf(list, loaded);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const { ref, entry } = useIntersection({ rootMargin: AHEAD });
  const isNear = entry?.isIntersecting ?? false;
  // The number of rows is a dependency: rows that do not fill the screen leave the end in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (isNear && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) fetchNextPage();
  }, [isNear, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, loaded]);
  if (!hasNextPage) return null;
  return (
    <Box ref={ref} mt="xs" className="no-print">
      {isFetchingNextPage && <LoadingRows columns={columns} rows={2} />}
      {isFetchNextPageError && <Problem error={list.error} onRetry={() => fetchNextPage()} />}
      <Group justify="space-between">
        <Text size="xs" c="dimmed" aria-live="polite">
          {isExact
            ? words.shown(format.number(loaded), format.number(count))
            : words.firstShown(format.number(loaded))}
        </Text>
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {words.loadMore}
        </Button>
      </Group>
    </Box>
  );
}

const ROWS = 8;

function LoadingRows({ columns, rows }: { columns: number; rows: number }) {
  const words = useWords(commonWords);
  return (
    <Box role="status" aria-label={words.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike
        <Group key={row} grow gap="md" py={12} className="skeleton-row">
          {Array.from({ length: Math.min(columns, 5) }, (_each, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike
            <Skeleton key={column} height={12} radius="sm" />
          ))}
        </Group>
      ))}
    </Box>
  );
}
