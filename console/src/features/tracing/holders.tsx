import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { Empty } from '../../ui/empty.js';
import { Panel } from '../../ui/page.js';
import { graphOf } from './holder-graph.js';
import { HolderMap } from './holder-map.js';
import type { Holder, Step } from './trace-query.js';
import { traceWords } from './trace-words.js';

/** The current holders, as a drawing and a table. */
export function Holders({
  holders,
  steps,
  isPartial,
}: {
  holders: readonly Holder[];
  steps: readonly Step[];
  isPartial: boolean;
}) {
  const words = useWords(traceWords);
  const format = useFormat();
  const graph = useMemo(() => graphOf(holders, steps), [holders, steps]);
  return (
    <Panel title={words.holders} hint={words.holdersHint}>
      <Stack>
        {graph.nodes.length > 0 && <HolderMap graph={graph} />}
        {isPartial && (
          <Text size="xs" c="dimmed">
            {words.partial}
          </Text>
        )}
        {holders.length === 0 ? (
          <Empty title={words.noHolders} hint={words.noHoldersHint} />
        ) : (
          <ItemTable
            items={holders}
            label={words.holders}
            rowKey={(holder) => `${holder.kind} ${holder.code}`}
            columns={[
              { name: words.holder, show: (holder) => holder.name ?? words.unnamed },
              { name: words.kind, show: (holder) => words.kinds[holder.kind], wide: true },
              { name: words.holderCode, show: (holder) => <CodeText>{holder.code}</CodeText>, wide: true },
              { name: words.quantity, show: (holder) => format.number(holder.quantity), align: 'right' },
            ]}
          />
        )}
      </Stack>
    </Panel>
  );
}
