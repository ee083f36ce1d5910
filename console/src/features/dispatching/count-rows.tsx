import { Box, Group, NumberInput, Stack, Text } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { PageLink } from '../../ui/links.js';
import { BatchLink } from '../stock/inventory-record.js';
import { dispatchWords } from './dispatch-words.js';
import { LineCard, ThumbBar, ThumbCounter } from './handheld.js';
import { type Dispatch, quantityText } from './pick-draft.js';
import { usePickGoods } from './pick-goods.js';
import { pickingWords } from './picking-words.js';
import { BatchExpiry, BatchTitle, usePlaceText } from './place-text.js';
import { type CountedPick, countOf, rowAfter } from './recheck-draft.js';

type OnCount = (key: string, byHand: number) => void;

const useBatchName = () => {
  const { noBatch } = useWords(dispatchWords);
  return (batchNo: string) => (batchNo === '' ? noBatch : batchNo);
};

/** All picked goods, with the second person's count next to them. */
export function CountTable({
  dispatch,
  rows,
  onCount,
}: {
  dispatch: Dispatch;
  rows: readonly CountedPick[];
  onCount: OnCount;
}) {
  const goods = usePickGoods(dispatch);
  const placeText = usePlaceText();
  const words = useWords(pickingWords);
  const names = useWords(dispatchWords);
  const format = useFormat();
  return (
    <ItemTable
      label={names.lines}
      items={rows}
      rowKey={(row) => row.key}
      columns={[
        {
          name: names.product,
          show: ({ line }) => (
            <>
              <PageLink to="/products/$productCode" params={{ productCode: line.productCode }}>
                {line.productName}
              </PageLink>
              <Text size="xs" c="dimmed">
                <CodeText>{line.productCode}</CodeText>
              </Text>
              <Text size="xs" c="dimmed">
                {placeText(dispatch.warehouse, goods.productOf(line.productCode)?.storage)}
              </Text>
            </>
          ),
        },
        {
          name: names.batch,
          show: (row) => (
            <>
              <BatchLink productCode={row.line.productCode} batchNo={row.batchNo} />
              <BatchExpiry date={goods.expiryOf(row.line.productCode, row.batchNo)} fz="xs" />
              {row.reason && (
                <Text size="xs" c="dimmed">
                  {names.reason}
                  {format.colon}
                  {row.reason}
                </Text>
              )}
            </>
          ),
        },
        {
          name: names.serials,
          show: (row) => (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <CodeText>{row.serials.join(', ')}</CodeText>
            </Text>
          ),
          wide: true,
        },
        {
          name: words.pickedQuantity,
          show: (row) => quantityText(format.number(row.picked), row.line),
          align: 'right',
        },
        {
          name: words.countedQuantity,
          show: (row) => <HandCount row={row} onCount={onCount} />,
          align: 'right',
        },
      ]}
    />
  );
}

function HandCount({ row, onCount }: { row: CountedPick; onCount: OnCount }) {
  const words = useWords(pickingWords);
  const format = useFormat();
  const batchName = useBatchName();
  const count = countOf(row);
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      {count > 0 && <Verdict isEqual={count === row.picked} />}
      <Stack gap={0} align="flex-end">
        <NumberInput
          aria-label={words.countOf(format.list([row.line.productName, batchName(row.batchNo)]))}
          min={row.scanned}
          allowDecimal={false}
          w={96}
          placeholder="0"
          value={count === 0 ? '' : count}
          onChange={(value) => onCount(row.key, Math.max(Number(value) - row.scanned, 0))}
        />
        {row.scanned > 0 && (
          <Text size="xs" c="dimmed">
            {words.byScan(format.number(row.scanned))}
          </Text>
        )}
      </Stack>
    </Group>
  );
}

const Verdict = ({ isEqual }: { isEqual: boolean }) =>
  isEqual ? (
    <CircleCheck size={18} aria-hidden color="var(--mantine-color-teal-6)" style={{ flex: 'none' }} />
  ) : (
    <CircleAlert size={18} aria-hidden color="var(--mantine-color-orange-6)" style={{ flex: 'none' }} />
  );

/** One picked batch at a time, for a handheld. The next one appears automatically when the count is equal. */
export function OneCount({
  dispatch,
  rows,
  onCount,
  shown,
  onShow,
  children,
}: {
  dispatch: Dispatch;
  rows: readonly CountedPick[];
  onCount: OnCount;
  shown: string | null;
  onShow: (key: string | null) => void;
  children: ReactNode;
}) {
  const words = useWords(pickingWords);
  const format = useFormat();
  const batchName = useBatchName();
  const goods = usePickGoods(dispatch);
  const placeText = usePlaceText();
  const row = rows.find((each) => each.key === shown) ?? rowAfter(rows, null);
  if (!row) return children;
  const at = rows.indexOf(row);
  const { line, batchNo, picked, byHand } = row;
  const name = batchName(batchNo);
  const storage = goods.productOf(line.productCode)?.storage;
  return (
    <>
      <LineCard
        line={line}
        place={placeText(dispatch.warehouse, storage)}
        counted={countOf(row)}
        wanted={picked}
        label={words.countOf(format.list([line.productName, name]))}
      >
        <Box mt="md">
          <BatchTitle batchNo={batchNo} />
        </Box>
        <BatchExpiry date={goods.expiryOf(line.productCode, batchNo)} fz="md" />
        {row.serials.length > 0 && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <CodeText>{row.serials.join(', ')}</CodeText>
          </Text>
        )}
        <ThumbCounter
          name={name}
          byHand={byHand}
          rest={picked - countOf(row)}
          onSet={(next) => onCount(row.key, next)}
        />
      </LineCard>
      <ThumbBar
        at={at}
        count={rows.length}
        onMove={(step) => onShow(rows[(at + step + rows.length) % rows.length]?.key ?? null)}
      />
      {children}
    </>
  );
}
