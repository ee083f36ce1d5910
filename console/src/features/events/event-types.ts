import { dictionary, useWords } from '../../app/language.js';
import { type Scope, useMay } from '../../app/session.js';

const FEED_TYPES = [
  'order.status_changed',
  'inventory.inbound_completed',
  'inventory.outbound_completed',
  'inventory.low_stock',
  'expiry.warning',
  'certificate.expiring',
  'environment.alert',
  'recall.opened',
  'recall.updated',
  'recall.closed',
] as const;
export type FeedType = (typeof FEED_TYPES)[number];

/** Pushed to webhooks that choose it, but not in the feed. */
const PUSHED_TYPES = [...FEED_TYPES, 'inventory.changed'] as const;
export type EventType = (typeof PUSHED_TYPES)[number];

/** Reading or receiving a type also requires the scope of its area. */
const SCOPES: Readonly<Record<EventType, Scope>> = {
  'order.status_changed': 'orders:read',
  'inventory.inbound_completed': 'inventory:read',
  'inventory.outbound_completed': 'inventory:read',
  'inventory.low_stock': 'inventory:read',
  'expiry.warning': 'inventory:read',
  'certificate.expiring': 'certificates:read',
  'environment.alert': 'environment:read',
  'recall.opened': 'recalls:read',
  'recall.updated': 'recalls:read',
  'recall.closed': 'recalls:read',
  'inventory.changed': 'inventory:read',
};

const eventTypeWords = dictionary(
  {
    'order.status_changed': 'Order status changed',
    'inventory.inbound_completed': 'Goods received',
    'inventory.outbound_completed': 'Goods shipped',
    'inventory.low_stock': 'Low stock',
    'expiry.warning': 'Batch near expiry',
    'certificate.expiring': 'Certificate expiring',
    'environment.alert': 'Temperature or humidity alert',
    'recall.opened': 'Recall opened',
    'recall.updated': 'Recall answered or acknowledged',
    'recall.closed': 'Recall closed',
    'inventory.changed': 'Stock figures changed',
  },
  {
    'order.status_changed': '订单状态变更',
    'inventory.inbound_completed': '入库完成',
    'inventory.outbound_completed': '出库完成',
    'inventory.low_stock': '库存不足预警',
    'expiry.warning': '近效期预警',
    'certificate.expiring': '资质证照即将到期',
    'environment.alert': '温湿度报警',
    'recall.opened': '登记召回',
    'recall.updated': '召回反馈或确认',
    'recall.closed': '关闭召回',
    'inventory.changed': '库存数量变动',
  },
);

export function useEventTypeName(): (type: EventType) => string {
  const words = useWords(eventTypeWords);
  return (type) => words[type] ?? type;
}

function useChoices<T extends EventType>(types: readonly T[]): { value: T; label: string }[] {
  const may = useMay();
  const name = useEventTypeName();
  return types.filter((type) => may(SCOPES[type])).map((value) => ({ value, label: name(value) }));
}

/** The types of the event feed that the signed-in user may read. */
export const useEventTypeChoices = (): { value: FeedType; label: string }[] => useChoices(FEED_TYPES);

/** The types that a webhook can receive, as far as the signed-in user may read them. */
export const usePushedTypeChoices = (): { value: EventType; label: string }[] => useChoices(PUSHED_TYPES);

export function useMayReadEvents(): (type: EventType) => boolean {
  const may = useMay();
  return (type) => may(SCOPES[type]);
}
