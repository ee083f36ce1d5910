import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useList, useResource } from '../../app/api.js';
import { NOTHING, useFormat, useZonedFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { usePersonName } from '../../ui/person.js';
import { useExplainIssue } from '../../ui/problem.js';
import { StatusBadge } from '../../ui/status.js';
import { Warnings } from '../../ui/warnings.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import type { Order } from './order.types.js';
import { OrderActions } from './order-actions.js';
import { OrderHistory } from './order-history.js';
import { OrderLines } from './order-lines.js';
import { orderWords } from './order-words.js';
import { OrderBadges } from './orders.js';
import { isReady, type Readiness } from './readiness.js';
import { readinessWords } from './readiness-words.js';
import { Shortage } from './shortage.js';
import { useReadiness } from './use-readiness.js';

export default function OrderPage() {
  const words = useWords(orderWords);
  const orderId = useParam('orderId');
  const query = useResource('/v2/orders/{orderId}', { path: { orderId } });
  return (
    <Page
      title={query.data?.orderNo ?? words.order}
      status={query.data && <OrderBadges order={query.data} />}
      above={{ to: '/orders', name: words.orders }}
      actions={query.data && <OrderActions order={query.data} />}
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/orders' }}>
        {(order) => <OrderContent order={order} />}
      </Loaded>
    </Page>
  );
}

function OrderContent({ order }: { order: Order }) {
  const may = useMay();
  const readiness = useReadiness(order);
  return (
    <Stack>
      <Notices order={order} />
      {readiness && <Standing order={order} readiness={readiness} />}
      <OrderLines order={order} readiness={readiness} />
      {readiness && <Shortage order={order} readiness={readiness} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <OrderFacts order={order} />
        <OrderHistory order={order} />
      </SimpleGrid>
      {may('dispatches:read') && order.status !== 'pending_approval' && (
        <Dispatches orderId={order.orderId} />
      )}
    </Stack>
  );
}

/** Whether an order that waits for approval could be approved now. */
function Standing({ order, readiness }: { order: Order; readiness: Readiness }) {
  const may = useMay();
  const words = useWords(readinessWords);
  const explain = useExplainIssue();
  if (order.status !== 'pending_approval' || order.onHold) return null;
  if (isReady(readiness))
    return readiness.lines && readiness.certificates ? (
      <Alert color="teal" py="xs" icon={<CircleCheck size={18} />}>
        {words.ready}
        {!may('orders:approve') && ` ${words.notYours}`}
      </Alert>
    ) : null;
  return (
    <Alert color="orange" py="xs" icon={<CircleAlert size={18} />} title={words.blocked}>
      {readiness.suspensions.map((issue) => (
        <Text key={issue.message} size="sm">
          {explain(issue)}
        </Text>
      ))}
      {readiness.lines?.some(({ missingQuantity }) => missingQuantity > 0) && (
        <Text size="sm">{words.stockMissing}</Text>
      )}
      {readiness.certificates?.subjects.some(({ issues }) => issues.length > 0) && (
        <Text size="sm">{readiness.certificates.gate === 'refuse' ? words.refused : words.warned}</Text>
      )}
    </Alert>
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
  const format = useZonedFormat();
  const personName = usePersonName();
  const warehouseName = useWarehouseName();
  return (
    <Panel title={words.facts}>
      <Facts
        facts={[
          [
            words.customer,
            <PageLink key="customer" to="/partners/$partnerCode" params={{ partnerCode: order.customerCode }}>
              {order.customerName}
            </PageLink>,
          ],
          [words.warehouse, warehouseName(order.warehouse)],
          [words.requestedDate, format.day(order.requestedDate)],
          [words.total, format.money(order.totalAmount, order.currency)],
          [words.createdAt, `${format.instant(order.createdAt)} · ${personName(order.createdBy)}`],
          [words.remark, order.remark ?? NOTHING],
        ]}
      />
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
            name: words.dispatchNo,
            show: (dispatch) => (
              <PageLink to="/dispatches/$dispatchId" params={{ dispatchId: dispatch.dispatchId }}>
                <CodeText>{dispatch.dispatchNo}</CodeText>
              </PageLink>
            ),
          },
          {
            name: words.dispatchedFrom,
            show: (dispatch) => format.instant(dispatch.createdAt),
            wide: 'below',
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
