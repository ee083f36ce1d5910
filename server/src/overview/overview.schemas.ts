import { Type } from 'typebox';
import { AlertView } from '../environment/index.js';
import { ORDER_STATUSES } from '../orders/index.js';
import { DateText, Instant, Model, Nullable, OneOf } from '../platform/http/index.js';

const Count = (description?: string) => Type.Integer(description ? { description } : {});

/** Kinds of tasks on the overview page. */
export const NEEDS = [
  'orders_to_approve',
  'orders_to_dispatch',
  'receipts_to_accept',
  'dispatches_to_pick',
  'dispatches_to_recheck',
  'alerts_to_acknowledge',
  'certificates_expired',
  'certificates_expiring',
  'recalls_unanswered',
  'nonconformities_to_decide',
  'dispositions_to_approve',
  'dispositions_to_execute',
  'webhooks_disabled',
  'products_low',
] as const;

export const OverviewView = Model('Overview', {
  stock: Nullable(
    Type.Object({
      total: Count('Units: available, reserved and blocked together.'),
      available: Count(),
      reserved: Count(),
      blocked: Count(),
      products: Count('Products of which there is any.'),
      nearExpiry: Type.Array(
        Type.Object({
          month: Type.String({ examples: ['2026-12'] }),
          batches: Count(),
          quantity: Count(),
        }),
        {
          description: 'Batches in stock by the month of expiry, for the current month and the next eleven.',
        },
      ),
      byExpiry: Type.Array(
        Type.Object({
          throughDays: Nullable(
            Count('Days left at most, and more than those of the band before; null: expired.'),
          ),
          batches: Count(),
          quantity: Count(),
        }),
        { description: 'Batches in stock by the days left: expired, then up to 30, 60, 90 and 180 days.' },
      ),
    }),
  ),
  orders: Nullable(
    Type.Object({
      byStatus: Type.Object({
        pending_approval: Count(),
        approved: Count(),
        rejected: Count(),
        cancelled: Count(),
        partially_dispatched: Count(),
        dispatched: Count(),
        delivered: Count(),
      }),
      onHold: Count('Of those not shipped whole yet.'),
      shortage: Count('Reserved stock was blocked: to be reserved again.'),
      byDay: Type.Array(
        Type.Object({
          day: DateText(),
          byStatus: Type.Partial(
            Type.Object(Object.fromEntries(ORDER_STATUSES.map((status) => [status, Count()]))),
          ),
        }),
        { description: 'Orders of the last 14 days by the day they came in and the status they have now.' },
      ),
    }),
  ),
  receipts: Nullable(Type.Object({ pending: Count() })),
  dispatches: Nullable(Type.Object({ picking: Count(), rechecking: Count() })),
  alerts: Nullable(
    Type.Object({
      open: Count(),
      unacknowledged: Count('Also of those that closed meanwhile.'),
      newest: Type.Array(AlertView, { description: 'Open alerts, at most five.' }),
    }),
  ),
  certificates: Nullable(
    Type.Object({
      expired: Count(),
      expiring: Count(),
      byMonth: Type.Array(Type.Object({ month: Type.String({ examples: ['2026-12'] }), count: Count() }), {
        description:
          'Certificates by the month in which they expire, for the current month and the next eleven.',
      }),
    }),
  ),
  recalls: Nullable(Type.Object({ open: Count(), unanswered: Count('With a customer who did not answer.') })),
  quality: Nullable(
    Type.Object({
      open: Count('Entries of the register of nonconforming goods that are not decided yet.'),
      proposed: Count('Dispositions that wait for approval.'),
      approved: Count('Dispositions that wait for execution.'),
    }),
  ),
  deliveries: Nullable(
    Type.Object({
      enabled: Count('Webhooks.'),
      disabled: Count(),
      pending: Count('Pushes that wait for an attempt.'),
      failed: Count('Pushes that failed permanently in the last 24 hours.'),
      successShare: Nullable(
        Type.Number({ description: 'Share of successful attempts in the last 24 hours, 0 to 1.' }),
      ),
      byHour: Type.Array(
        Type.Object({ hour: Instant(), attempts: Count(), delivered: Count(), averageMs: Count() }),
        {
          description:
            'Attempts of the last 24 hours by the hour; hours without any are left out. Of webhooks with very many, the latest hours.',
        },
      ),
    }),
  ),
  needsMe: Type.Array(Type.Object({ kind: OneOf(NEEDS), count: Count() }), {
    description: `Tasks that this credential can act on. Orders to dispatch are counted up to 1000.`,
  }),
  tasks: Type.Array(
    Type.Object({
      kind: OneOf(NEEDS),
      id: Type.String({
        description: 'Of the order, receipt, dispatch, alert or other record; of a product, its code.',
      }),
      name: Type.String({ description: 'A number or name; of a dispatch, the number of its order.' }),
      detail: Nullable(
        Type.String({
          description:
            'The name of a partner, product or warehouse, a batch, or a kind; of an alert, how far the readings went.',
        }),
      ),
      since: Instant(),
      validTo: Nullable(DateText('Of a certificate: the last day on which it is valid.')),
    }),
    {
      description:
        'The oldest of these tasks, at most ten of a kind and fifty in all: alerts that are still going on first, then other ' +
        'alerts and recalls, then expired certificates and disabled webhooks, then the others; oldest first within each.',
    },
  ),
});
