import type { Item } from '@lotward/client';
import { Group } from '@mantine/core';
import { Check } from 'lucide-react';
import { bulkApi, useCountedList } from '../../app/api.js';
import { changedPaths } from '../../app/changes.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { refreshPaths } from '../../app/queries.js';
import { useMay, useSession } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import type { BulkAction } from '../../ui/list/bulk-actions.js';
import { choiceFilter, dayFilter, pickerFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { useTaskFilter } from '../../ui/task-filter.js';
import { When } from '../../ui/when.js';
import { CustomerPicker } from '../catalogue/pickers.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { orderWords } from './order-words.js';

export const ORDER_STATUSES = [
  'pending_approval',
  'approved',
  'partially_dispatched',
  'dispatched',
  'delivered',
  'rejected',
  'cancelled',
] as const;

export default function Orders() {
  const words = useWords(orderWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const may = useMay();
  const { timeZone } = useSession().organization;
  const approval = useApproval();
  const warehouseName = useWarehouseName();
  const filters = useListFilters(
    {
      status: choiceFilter(common.status, useStatusChoices(ORDER_STATUSES)),
      task: useTaskFilter('orders_to_approve', 'orders_to_dispatch'),
      customerCode: pickerFilter(words.customer, CustomerPicker),
      // Days in the organization's time zone, in which the overview counts.
      since: dayFilter(words.since, 'start', timeZone),
      until: dayFilter(words.until, 'end', timeZone),
      updatedSince: dayFilter(words.updatedSince),
    },
    { by: [words.orderNo, words.customer] },
  );
  const list = useCountedList('/v2/orders', filters);
  const isAnyRequested = list.data?.pages.some(({ items }) => items.some((order) => order.requestedDate));
  return (
    <ListPage
      title={words.orders}
      hint={words.hint}
      create={{ scope: 'orders:write', label: words.newOrder, to: '/orders/new' }}
      filters={filters}
      list={list}
      noun={words.noun}
      usualSort="-createdAt"
      bulk={{
        nameOf: (order) => order.orderNo,
        actions: may('orders:approve') ? [approval] : [],
      }}
      rowKey={(order) => order.orderId}
      empty={{ title: words.empty, hint: words.emptyHint }}
      columns={[
        {
          name: words.orderNo,
          sort: 'orderNo',
          show: (order) => (
            <RowLink to="/orders/$orderId" params={{ orderId: order.orderId }}>
              <CodeText>{order.orderNo}</CodeText>
            </RowLink>
          ),
        },
        { name: words.customer, show: (order) => order.customerName, wide: 'below' },
        { name: words.warehouse, show: (order) => warehouseName(order.warehouse), wide: true },
        ...(isAnyRequested
          ? [
              {
                name: words.requestedDate,
                show: (order: Item<'/v2/orders'>) => format.day(order.requestedDate),
                wide: true as const,
              },
            ]
          : []),
        {
          name: words.total,
          show: (order) => format.money(order.totalAmount, order.currency),
          align: 'right',
          wide: 'below',
          below: (order) => (
            <>
              {format.money(order.totalAmount, order.currency)} · <When at={order.createdAt} />
            </>
          ),
        },
        {
          name: words.createdAt,
          sort: 'createdAt',
          show: (order) => <When at={order.createdAt} />,
          wide: true,
        },
        { name: common.status, show: (order) => <OrderBadges order={order} />, wide: 'below' },
      ]}
    />
  );
}

const APPROVE = '/v2/orders/{orderId}/approve';

/** Approves each selected order that waits for approval. */
function useApproval(): BulkAction<Item<'/v2/orders'>> {
  const words = useWords(orderWords);
  return {
    label: words.approve,
    icon: <Check size={14} />,
    question: words.approveQuestion,
    isPossible: ({ status, onHold }) => status === 'pending_approval' && !onHold,
    run: ({ orderId }, _reason, idempotencyKey) =>
      bulkApi.post(APPROVE, { path: { orderId }, body: {}, idempotencyKey }),
    settle: () => refreshPaths(changedPaths(APPROVE)),
  };
}

/** The status of an order, and what blocks it. */
export const OrderBadges = ({
  order,
}: {
  order: Pick<Item<'/v2/orders'>, 'status' | 'onHold' | 'shortage'>;
}) => (
  <Group gap={4}>
    <StatusBadge status={order.status} />
    {order.onHold && <StatusBadge status="on_hold" />}
    {order.shortage && <StatusBadge status="shortage" />}
  </Group>
);
