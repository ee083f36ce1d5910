import { Alert, Group, SimpleGrid, Stack, Text, Timeline } from '@mantine/core';
import { useList, useResource } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { Warnings } from '../../ui/warnings.js';
import type { Order } from './order.types.js';
import { OrderActions } from './order-actions.js';
import { OrderLines } from './order-lines.js';
import { orderWords } from './order-words.js';
import { OrderBadges } from './orders.js';

export default function OrderPage() {
  const words = useWords(orderWords);
  const orderId = useParam('orderId');
  const may = useMay();
  const query = useResource('/v2/orders/{orderId}', { path: { orderId } });
  return (
    <Page
      title={query.data?.orderNo ?? words.order}
      above={{ to: '/orders', name: words.orders }}
      actions={query.data && <OrderActions order={query.data} />}
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/orders' }}>
        {(order) => (
          <Stack>
            <Notices order={order} />
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <OrderFacts order={order} />
              <History order={order} />
            </SimpleGrid>
            <OrderLines order={order} />
            {may('dispatches:read') && <Dispatches orderId={order.orderId} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Notices({ order }: { order: Order }) {
  const words = useWords(orderWords);
  return (
    <>
      {order.onHold && <Alert color="orange">{words.heldHint}</Alert>}
      {order.shortage && <Alert color="red">{words.shortageHint}</Alert>}
      <Warnings title={words.warnings} warnings={order.warnings} />
    </>
  );
}

function OrderFacts({ order }: { order: Order }) {
  const words = useWords(orderWords);
  const common = useWords(commonWords);
  const format = useFormat();
  return (
    <Panel title={words.facts}>
      <Facts
        facts={[
          [common.status, <OrderBadges key="status" order={order} />],
          [
            words.customer,
            <PageLink key="customer" to="/partners/$partnerCode" params={{ partnerCode: order.customerCode }}>
              {order.customerName}
            </PageLink>,
          ],
          [words.warehouse, order.warehouse],
          [words.requestedDate, format.day(order.requestedDate)],
          [words.total, format.money(order.totalAmount, order.currency)],
          [words.createdAt, `${format.instant(order.createdAt)} · ${order.createdBy}`],
          [words.remark, order.remark ?? NOTHING],
        ]}
      />
    </Panel>
  );
}

function History({ order }: { order: Order }) {
  const words = useWords(orderWords);
  const format = useFormat();
  return (
    <Panel title={words.history}>
      <Timeline bulletSize={16} lineWidth={2} active={order.statusHistory.length - 1}>
        {order.statusHistory.map((change) => (
          <Timeline.Item
            key={`${change.changedAt} ${change.currentStatus}`}
            title={
              <Group gap="xs">
                {change.previousStatus === null && <Text size="sm">{words.entered}</Text>}
                <StatusBadge status={change.currentStatus} />
              </Group>
            }
          >
            {change.reason && <Text size="sm">{change.reason}</Text>}
            <Text size="xs" c="dimmed">
              {format.instant(change.changedAt)} · {change.changedBy}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Panel>
  );
}

function Dispatches({ orderId }: { orderId: string }) {
  const words = useWords(orderWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const list = useList('/v2/dispatches', { query: { orderId } });
  return (
    <Panel title={words.dispatches}>
      <DataTable
        list={list}
        label={words.dispatches}
        rowKey={(dispatch) => dispatch.dispatchId}
        empty={{ title: words.noDispatches }}
        columns={[
          {
            name: words.dispatch,
            show: (dispatch) => (
              <PageLink to="/dispatches/$dispatchId" params={{ dispatchId: dispatch.dispatchId }}>
                {format.instant(dispatch.createdAt)}
              </PageLink>
            ),
          },
          {
            name: words.lineCount,
            show: (dispatch) => format.number(dispatch.lines.length),
            align: 'right',
            wide: true,
          },
          { name: common.status, show: (dispatch) => <StatusBadge status={dispatch.status} /> },
        ]}
      />
    </Panel>
  );
}
