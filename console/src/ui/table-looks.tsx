import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../app/language.js';
import { Empty } from './empty.js';
import { commonWords } from './everywhere-words.js';
import type { Column } from './table-parts.js';

export interface TableLooks<I> {
  columns: readonly Column<I>[];
  rowKey: (item: I) => string;
  /**
   * Shown if the list is empty, in a compact form next to other panels; if filters are set, the table says that nothing
   * matches.
   */
  empty?: { title: string; hint?: string; action?: ReactNode; isCompact?: boolean } | undefined;
  filtered?: boolean;
  onClearFilters?: () => void;
  /** The accessible name of the table. */
  label: string;
  /** Details of a row, shown below it when expanded. */
  detail?: (item: I) => ReactNode;
}

type EmptyLooks = Pick<TableLooks<unknown>, 'empty' | 'filtered' | 'onClearFilters'>;

/** Shown instead of a table without rows. */
export function EmptyTable({ empty, filtered, onClearFilters }: EmptyLooks) {
  const words = useWords(commonWords);
  if (filtered)
    return (
      <Empty title={words.nothingFound}>
        {onClearFilters && (
          <Button variant="light" size="xs" onClick={onClearFilters}>
            {words.clearFilters}
          </Button>
        )}
      </Empty>
    );
  if (empty?.isCompact)
    return (
      <Text size="sm" c="dimmed">
        {empty.title}
      </Text>
    );
  return (
    <Empty title={empty?.title ?? words.nothing} hint={empty?.hint}>
      {empty?.action}
    </Empty>
  );
}
