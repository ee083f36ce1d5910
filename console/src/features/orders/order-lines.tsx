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

const isReserving = ({ status }: Order): boolean =>
  status === 'approved' || status === 'partially_dispatched';

/** Ordered, reserved and dispatched quantities of each line. */
export function OrderLines({ order, readiness }: { order: Order; readiness: Readiness | undefined }) {
  const words = useWords(orderWords);
  const format = useFormat();
  const stateColumns = useStateColumns(order, readiness);
  const figure = (name: string, of: (line: Line) => number): Column<Line> => ({
    ...{ name, show: (line: Line) => format.number(of(line)), align: 'right', wide: 'below' },
    below: (line: Line) => `${name}${format.colon}${format.number(of(line))}`,
  });
  const shippedColumns = [
    figure(words.dispatched, (line) => line.dispatchedQuantity),
    figure(words.delivered, (line) => line.deliveredQuantity),
  ];
  const isClosed = order.lines.some((line) => line.closedQuantity > 0);
  return (
    <Panel title={words.lines}>
      <ItemTable
        label={words.lines}
        items={order.lines}
        rowKey={(line) => String(line.lineNo)}
        columns={[
          { name: words.product, show: (line) => <Goods line={line} /> },
          {
            name: words.quantity,
            show: (line) => [format.number(line.quantity), line.unit].filter(Boolean).join(' '),
            align: 'right',
          },
          {
            name: words.unitPrice,
            show: (line) => format.money(line.unitPrice, order.currency),
            align: 'right',
            wide: 'below',
            below: (line) =>
              `${words.unitPrice}${format.colon}${format.money(line.unitPrice, order.currency)}`,
          },
          ...stateColumns,
          ...(isReserving(order)
            ? [
                {
                  name: words.reserved,
                  show: (line: Line) => <Reserved line={line} />,
                  wide: 'below' as const,
                  below: (line: Line) => (
                    <>
                      {words.reserved}
                      {format.colon}
                      <Reserved line={line} />
                    </>
                  ),
                },
              ]
            : []),
          ...(order.status === 'pending_approval' ? [] : shippedColumns),
          ...(isClosed ? [figure(words.closed, (line) => line.closedQuantity)] : []),
        ]}
      />
    </Panel>
  );
}

/** Stock and licences, while they matter for the next step. */
function useStateColumns(order: Order, readiness: Readiness | undefined): Column<Line>[] {
  const words = useWords(readinessWords);
  const lines = new Map(readiness?.lines?.map((line) => [line.lineNo, line]));
  const certificates = readiness?.certificates;
  const stockOf = ({ lineNo }: Line) => {
    const ready = lines.get(lineNo);
    return ready ? <StockState line={ready} /> : NOTHING;
  };
  const licencesOf = ({ productCode }: Line) =>
    certificates ? (
      <LicenceState order={order} productCode={productCode} certificates={certificates} />
    ) : null;
  return [
    ...(lines.size > 0 ? [{ name: words.stock, show: stockOf, wide: 'below' as const }] : []),
    ...(certificates ? [{ name: words.licences, show: licencesOf, wide: 'below' as const }] : []),
  ];
}

function Goods({ line }: { line: Line }) {
  const words = useWords(orderWords);
  const format = useFormat();
  const wishes = [
    line.batchNo === null ? null : `${words.batchWanted}${format.colon}${line.batchNo}`,
    line.minRemainingShelfLifeDays === null ? null : words.minShelfLifeOf(line.minRemainingShelfLifeDays),
  ].filter((each) => each !== null);
  return (
    <Stack gap={0}>
      <PageLink to="/products/$productCode" params={{ productCode: line.productCode }}>
        {line.productName}
      </PageLink>
      <Text size="xs" c="dimmed">
        <CodeText>{line.productCode}</CodeText>
        {line.specification && ` · ${line.specification}`}
      </Text>
      {wishes.map((wish) => (
        <Text key={wish} size="xs">
          {wish}
        </Text>
      ))}
    </Stack>
  );
}

function Reserved({ line }: { line: Line }) {
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
          <BatchLink productCode={line.productCode} batchNo={batch.batchNo} />
          <div>
            <Expiry date={batch.expiryDate} />
          </div>
        </Text>
      ))}
    </Stack>
  );
}
