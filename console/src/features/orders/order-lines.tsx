import { Stack, Text } from '@mantine/core';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { type Column, ItemTable } from '../../ui/data-table.js';
import { PageLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { Expiry } from '../stock/expiry.js';
import { BatchLink } from '../stock/inventory-record.js';
import { LicenceState, StockState } from './line-state.js';
import type { Order } from './order.types.js';
import { orderWords } from './order-words.js';
import type { Readiness } from './readiness.js';
import { readinessWords } from './readiness-words.js';

type Line = Order['lines'][number];

/** Ordered, reserved and dispatched quantities of each line. */
export function OrderLines({ order, readiness }: { order: Order; readiness: Readiness | undefined }) {
  const words = useWords(orderWords);
  const format = useFormat();
  const stateColumns = useStateColumns(order, readiness);
  const isClosed = order.lines.some((line) => line.closedQuantity > 0);
  return (
    <Panel title={words.lines}>
      <ItemTable
        label={words.lines}
        items={order.lines}
        rowKey={(line) => String(line.lineNo)}
        columns={[
          { name: words.product, show: (line) => <Goods line={line} /> },
          { name: words.quantity, show: (line) => format.number(line.quantity), align: 'right' },
          {
            name: words.unitPrice,
            show: (line) => format.money(line.unitPrice, order.currency),
            align: 'right',
            wide: true,
          },
          ...stateColumns,
          ...(order.status === 'pending_approval'
            ? []
            : [
                {
                  name: words.reserved,
                  show: (line: Line) => <Reserved line={line} warehouse={order.warehouse} />,
                },
              ]),
          {
            name: words.dispatched,
            show: (line) => format.number(line.dispatchedQuantity),
            align: 'right',
            wide: true,
          },
          {
            name: words.delivered,
            show: (line) => format.number(line.deliveredQuantity),
            align: 'right',
            wide: true,
          },
          ...(isClosed
            ? [
                {
                  name: words.closed,
                  show: (line: Line) => format.number(line.closedQuantity),
                  align: 'right' as const,
                  wide: true as const,
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

/** Stock and licences, while they decide about the next step. */
function useStateColumns(order: Order, readiness: Readiness | undefined): Column<Line>[] {
  const words = useWords(readinessWords);
  const lines = new Map(readiness?.lines?.map((line) => [line.lineNo, line]));
  const certificates = readiness?.certificates;
  return [
    ...(lines.size > 0
      ? [
          {
            name: words.stock,
            show: (line: Line) => {
              const ready = lines.get(line.lineNo);
              return ready ? <StockState line={ready} /> : NOTHING;
            },
          },
        ]
      : []),
    ...(certificates
      ? [
          {
            name: words.licences,
            show: (line: Line) => (
              <LicenceState order={order} productCode={line.productCode} certificates={certificates} />
            ),
          },
        ]
      : []),
  ];
}

function Goods({ line }: { line: Line }) {
  const words = useWords(orderWords);
  const wishes = [
    line.batchNo === null ? null : `${words.batchWanted}: ${line.batchNo}`,
    line.minRemainingShelfLifeDays === null ? null : words.minShelfLifeOf(line.minRemainingShelfLifeDays),
  ].filter((each) => each !== null);
  return (
    <Stack gap={0}>
      <PageLink to="/products/$productCode" params={{ productCode: line.productCode }}>
        {line.productName}
      </PageLink>
      <Text size="xs" c="dimmed">
        <CodeText>{line.productCode}</CodeText>
      </Text>
      {wishes.map((wish) => (
        <Text key={wish} size="xs">
          {wish}
        </Text>
      ))}
    </Stack>
  );
}

function Reserved({ line, warehouse }: { line: Line; warehouse: string }) {
  const words = useWords(orderWords);
  const format = useFormat();
  if (line.reserved.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.nothingReserved}
      </Text>
    );
  return (
    <Stack gap={4}>
      {line.reserved.map((batch) => (
        <Text key={batch.batchNo} size="sm" component="div">
          <b>{format.number(batch.quantity)}</b>{' '}
          <BatchLink productCode={line.productCode} batchNo={batch.batchNo} /> · {warehouse}
          <div>
            <Expiry date={batch.expiryDate} />
          </div>
        </Text>
      ))}
    </Stack>
  );
}
