import type { Item } from '@lotward/client';
import { Group } from '@mantine/core';
import { useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { choiceFilter, dayFilter, pickerFilter, textFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { CustomerPicker } from '../catalogue/pickers.js';
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
  const filters = useListFilters({
    orderNo: textFilter(words.orderNo),
    status: choiceFilter(common.status, useStatusChoices(ORDER_STATUSES)),
    customerCode: pickerFilter(CustomerPicker, 280),
    updatedSince: dayFilter(words.updatedSince),
  });
  return (
    <ListPage
      title={words.orders}
      hint={words.hint}
      create={{ scope: 'orders:write', label: words.newOrder, to: '/orders/new' }}
      filters={filters}
      list={useList('/v2/orders', { query: filters.query })}
      rowKey={(order) => order.orderId}
      empty={{ title: words.empty, hint: words.emptyHint }}
      columns={[
        {
          name: words.orderNo,
          show: (order) => (
            <PageLink to="/orders/$orderId" params={{ orderId: order.orderId }}>
              <CodeText>{order.orderNo}</CodeText>
            </PageLink>
          ),
        },
        { name: words.customer, show: (order) => order.customerName, wide: true },
        { name: words.warehouse, show: (order) => order.warehouse, wide: true },
        { name: words.requestedDate, show: (order) => format.day(order.requestedDate), wide: true },
        {
          name: words.total,
          show: (order) => format.money(order.totalAmount, order.currency),
          align: 'right',
          wide: true,
        },
        { name: words.updatedAt, show: (order) => format.instant(order.updatedAt), wide: true },
        { name: common.status, show: (order) => <OrderBadges order={order} /> },
      ]}
    />
  );
}

/** Where an order stands, and what stops it. */
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
