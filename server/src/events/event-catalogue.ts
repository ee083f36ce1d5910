import { type TSchema, Type } from 'typebox';
import { DateText, Instant, Nullable, OneOf } from '../platform/http/index.js';

interface EventDescription {
  /** The scope needed to read this type or to receive it as a push. */
  scope: string;
  summary: string;
  /** Only pushed: it is created for a webhook and is not in the feed. */
  isOutsideFeed?: true;
  data: TSchema;
}

const byWarehouse = (quantity: string) =>
  Type.Array(Type.Object({ warehouse: Type.String(), [quantity]: Type.Integer() }));

const recall = () =>
  Type.Object({
    recallId: Type.String(),
    recallNo: Type.String(),
    productCode: Type.String(),
    productName: Type.String(),
    extent: OneOf(['product', 'batches', 'serials'] as const),
    batchNos: Type.Array(Type.String()),
    serials: Type.Array(Type.String()),
    class: OneOf(['I', 'II', 'III'] as const),
    reason: Type.String(),
    status: OneOf(['open', 'closed'] as const),
    customerCode: Nullable(
      Type.String({
        description: 'The customer that answered or acknowledged; null for a change of the recall itself.',
      }),
    ),
    consignees: Type.Integer(),
    acknowledged: Type.Integer(),
    answered: Type.Integer(),
    quantities: Type.Object(
      {
        delivered: Type.Integer(),
        onHand: Type.Integer(),
        used: Type.Integer(),
        returned: Type.Integer(),
        destroyed: Type.Integer(),
        notFound: Type.Integer(),
        notAnswered: Type.Integer(),
      },
      { description: 'Of all consignees; for a customer-bound reader, of this customer.' },
    ),
  });

/** Schemas are open: fields may be added within a version. */
export const EVENT_CATALOGUE = {
  'order.status_changed': {
    scope: 'orders:read',
    summary: 'The status of an order changed',
    data: Type.Object({
      orderId: Type.String(),
      orderNo: Type.String(),
      customerCode: Type.String(),
      previousStatus: Type.String(),
      currentStatus: Type.String(),
      changedBy: Type.String({ description: 'E-mail of the person who made the change.' }),
      changedAt: Instant(),
    }),
  },
  'inventory.inbound_completed': {
    scope: 'inventory:read',
    summary: 'A purchase receipt passed acceptance',
    data: Type.Object({
      receiptId: Type.String(),
      receiptNo: Type.String(),
      supplierCode: Type.String(),
      warehouse: Type.String(),
      acceptedBy: Type.String(),
      acceptedAt: Instant(),
      lines: Type.Array(
        Type.Object({
          productCode: Type.String(),
          productName: Type.String(),
          batchNo: Type.String(),
          manufactureDate: Nullable(DateText()),
          expiryDate: Nullable(DateText()),
          acceptedQuantity: Type.Integer(),
          rejectedQuantity: Type.Integer(),
        }),
      ),
    }),
  },
  'inventory.outbound_completed': {
    scope: 'inventory:read',
    summary: 'A sales dispatch passed re-check',
    data: Type.Object({
      dispatchId: Type.String(),
      orderId: Type.String(),
      orderNo: Type.String(),
      customerCode: Type.String(),
      warehouse: Type.String(),
      recheckedBy: Type.String(),
      recheckedAt: Instant(),
      lines: Type.Array(
        Type.Object({
          productCode: Type.String(),
          productName: Type.String(),
          batchNo: Type.String(),
          expiryDate: Nullable(DateText()),
          quantity: Type.Integer(),
          serials: Type.Array(Type.String()),
        }),
      ),
    }),
  },
  'inventory.low_stock': {
    scope: 'inventory:read',
    summary: 'Available stock fell below the safety stock; at most once per product and day',
    data: Type.Object({
      productCode: Type.String(),
      productName: Type.String(),
      availableQuantity: Type.Integer(),
      safetyStock: Type.Integer(),
      byWarehouse: byWarehouse('availableQuantity'),
    }),
  },
  'expiry.warning': {
    scope: 'inventory:read',
    summary: 'A batch with stock entered the near-expiry range; at most once per batch and day',
    data: Type.Object({
      productCode: Type.String(),
      productName: Type.String(),
      batchNo: Type.String(),
      expiryDate: DateText(),
      daysRemaining: Type.Integer(),
      quantity: Type.Integer(),
      byWarehouse: byWarehouse('quantity'),
    }),
  },
  'certificate.expiring': {
    scope: 'certificates:read',
    summary: 'A certificate of a supplier or product is about to expire; once each at 30, 15 and 7 days',
    data: Type.Object({
      certificateId: Type.String(),
      certificateNo: Type.String(),
      type: Type.String(),
      subjectType: OneOf(['supplier', 'product'] as const),
      subjectCode: Type.String(),
      subjectName: Type.String(),
      validTo: DateText(),
      daysRemaining: Type.Integer(),
      threshold: Type.Integer(),
      missedThresholds: Type.Array(Type.Integer()),
    }),
  },
  'environment.alert': {
    scope: 'environment:read',
    summary: 'Temperature or humidity is outside its limits',
    data: Type.Object({
      alertId: Type.Optional(Type.String()),
      pointId: Type.String(),
      pointName: Type.String(),
      warehouse: Type.String(),
      zone: Nullable(Type.String()),
      metric: OneOf(['temperature', 'humidity'] as const),
      value: Type.Number(),
      unit: Type.String(),
      lowerLimit: Nullable(Type.Number()),
      upperLimit: Nullable(Type.Number()),
      observedAt: Instant(),
      startedAt: Instant(),
      repeat: Type.Integer(),
    }),
  },
  'recall.opened': {
    scope: 'recalls:read',
    summary: 'A recall was opened',
    data: recall(),
  },
  'recall.updated': {
    scope: 'recalls:read',
    summary: 'A consignee answered or acknowledged a recall',
    data: recall(),
  },
  'recall.closed': {
    scope: 'recalls:read',
    summary: 'A recall was closed',
    data: recall(),
  },
  'inventory.changed': {
    scope: 'inventory:read',
    summary:
      'The stock figures of a product in a warehouse changed; at most once per second, with the figures of then. Pushed only, not in the event feed',
    isOutsideFeed: true,
    data: Type.Object({
      productCode: Type.String(),
      warehouse: Type.String(),
      totalQuantity: Type.Integer({ description: 'available + reserved + blocked, always.' }),
      availableQuantity: Type.Integer(),
      reservedQuantity: Type.Integer(),
      blockedQuantity: Type.Integer({ description: 'Expired, on hold or recalled: may not be sold.' }),
      changedAt: Instant('When the figures last changed.'),
    }),
  },
} as const satisfies Record<string, EventDescription>;

export type EventType = keyof typeof EVENT_CATALOGUE;
export const EVENT_TYPES = Object.keys(EVENT_CATALOGUE) as EventType[];

export const STOCK_TYPE = 'inventory.changed' satisfies EventType;
/** The types of the event feed. */
export type FeedType = Exclude<EventType, typeof STOCK_TYPE>;
export const FEED_TYPES = EVENT_TYPES.filter(
  (type): type is FeedType => !('isOutsideFeed' in EVENT_CATALOGUE[type]),
);

/** Pushed before other waiting events of the endpoint. The index `events_urgent` covers exactly these. */
export const URGENT_TYPES: readonly EventType[] = ['recall.opened', 'recall.updated', 'recall.closed'];

/** The schema of an event of this type, as it is pushed and read. */
export const envelopeOf = (type: EventType): TSchema =>
  Type.Object({
    eventId: Type.String(),
    eventType: Type.String({ enum: [type] }),
    timestamp: Instant(),
    data: EVENT_CATALOGUE[type].data,
  });

/** The types of the feed that these scopes may read. */
export const visibleTypes = (scopes: ReadonlySet<string>): FeedType[] =>
  FEED_TYPES.filter((type) => scopes.has(EVENT_CATALOGUE[type].scope));
