import type { Item } from '@lotward/client';
import { Box, Group, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/filter-bar.js';
import { ButtonLink, PageLink } from '../../ui/links.js';
import { Page, Panel } from '../../ui/page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { CustomerPicker } from '../catalogue/pickers.js';
import { orderWords } from './order-words.js';

const FILTERS = ['orderNo', 'status', 'customerCode', 'updatedSince'] as const;
export const ORDER_STATUSES = [
  'pending_approval',
  'approved',
  'partially_dispatched',
  'dispatched',
  'delivered',
  'rejected',
  'cancelled',
] as const;

/** A day means its beginning, here. */
const queryOf = ({ updatedSince, ...rest }: Partial<Record<(typeof FILTERS)[number], string>>) => ({
  ...rest,
  ...(updatedSince && !Number.isNaN(Date.parse(`${updatedSince}T00:00:00`))
    ? { updatedSince: new Date(`${updatedSince}T00:00:00`).toISOString() }
    : {}),
});

export default function Orders() {
  const words = useWords(orderWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const may = useMay();
  const [filters, change] = useFilters(FILTERS);
  const list = useList('/v2/orders', { query: queryOf(filters) as object });
  const newButton = may('orders:write') && (
    <ButtonLink to="/orders/new" leftSection={<Plus size={16} />}>
      {words.newOrder}
    </ButtonLink>
  );
  return (
    <Page title={words.orders} hint={words.hint} actions={newButton}>
      <Panel>
        <FilterBar>
          <SearchFilter
            label={words.orderNo}
            value={filters.orderNo}
            onChange={(orderNo) => change({ orderNo })}
          />
          <ChoiceFilter
            label={common.status}
            value={filters.status}
            choices={useStatusChoices(ORDER_STATUSES)}
            onChange={(status) => change({ status })}
          />
          <Box w={{ base: '100%', xs: 280 }}>
            <CustomerPicker
              value={filters.customerCode}
              onChange={(customerCode) => change({ customerCode })}
            />
          </Box>
          <TextInput
            type="date"
            label={words.updatedSince}
            value={filters.updatedSince ?? ''}
            onChange={(event) => change({ updatedSince: event.currentTarget.value })}
            w={{ base: '100%', xs: 170 }}
          />
        </FilterBar>
        <DataTable
          list={list}
          label={words.orders}
          rowKey={(order) => order.orderId}
          filtered={Object.keys(filters).length > 0}
          onClearFilters={() =>
            change({ orderNo: null, status: null, customerCode: null, updatedSince: null })
          }
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
      </Panel>
    </Page>
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
