import { Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { recordPath } from '../../app/record-path.js';
import { PageLink } from '../../ui/links.js';
import { type Status, useStatusChoices } from '../../ui/status.js';
import { PartnerText } from '../catalogue/partner-name.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import type { FeedEvent } from './event-feed.js';
import { eventWords } from './event-words.js';

interface About {
  /** The name people use, such as an order number. */
  name: string;
  path: string | null;
  more: readonly ReactNode[];
}

const ORDER_STATUSES: readonly Status[] = [
  'pending_approval',
  'approved',
  'rejected',
  'cancelled',
  'partially_dispatched',
  'dispatched',
  'delivered',
];

/** The summary of an event in one line, with a link to its entity. */
function useAbout(): (event: FeedEvent) => About {
  const words = useWords(eventWords);
  const format = useFormat();
  const statuses = useStatusChoices(ORDER_STATUSES);
  const statusName = (status: unknown) =>
    statuses.find(({ value }) => value === status)?.label ?? String(status);
  return ({ eventType, data: anything }) => {
    const data = anything as Record<string, unknown>;
    const text = (field: string) => {
      const value = data[field];
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    };
    const of = (type: string, id: string, name: string, ...more: ReactNode[]): About => ({
      name: text(name),
      path: recordPath(type, text(id)),
      more: more.filter(Boolean),
    });
    const warehouse = data.warehouse ? <WarehouseText code={text('warehouse')} /> : '';
    const customer = data.customerCode ? <PartnerText code={text('customerCode')} /> : '';
    const daysLeft = words.daysLeft(format.number(Number(data.daysRemaining)));
    switch (eventType) {
      case 'order.status_changed':
        return of(
          'order',
          'orderId',
          'orderNo',
          `${statusName(data.previousStatus)} → ${statusName(data.currentStatus)}`,
        );
      case 'inventory.inbound_completed':
        return of('receipt', 'receiptId', 'receiptNo', warehouse);
      case 'inventory.outbound_completed':
        return of('dispatch', 'dispatchId', 'orderNo', customer);
      case 'inventory.low_stock':
        return of(
          'product',
          'productCode',
          'productName',
          words.available(format.number(Number(data.availableQuantity))),
        );
      case 'expiry.warning':
        return of('product', 'productCode', 'productName', text('batchNo'), daysLeft);
      case 'certificate.expiring':
        return of('certificate', 'certificateId', 'certificateNo', text('subjectName'), daysLeft);
      case 'recall.opened':
      case 'recall.updated':
      case 'recall.closed':
        return of('recall', 'recallId', 'recallNo', text('productName'), customer);
      case 'environment.alert':
        return of('point', 'pointId', 'pointName', `${text('value')} ${text('unit')}`);
    }
  };
}

export function EventAbout({ event }: { event: FeedEvent }) {
  const about = useAbout()(event);
  return (
    <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
      {about.path ? <PageLink to={about.path}>{about.name}</PageLink> : <Text size="sm">{about.name}</Text>}
      {about.more.length > 0 && (
        <Text size="xs" c="dimmed">
          {about.more.map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts that keep their order
            <Fragment key={at}>
              {at > 0 && ' · '}
              {each}
            </Fragment>
          ))}
        </Text>
      )}
    </Stack>
  );
}
