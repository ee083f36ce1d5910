import type { Item } from '@lotward/client';
import { type Difference, differences } from '../settings/audit-differences.js';
import type { Order } from './order.types.js';

export type OrderDispatch = Item<'/v2/dispatches'>;
export type AuditEntry = Item<'/v2/audit'>;

type DispatchStep = 'created' | 'picked' | 'failed' | 'passed' | 'delivered' | 'cancelled';

/** One thing that happened to an order. */
export type Happening = { key: string; at: string; by: string | null; reason: string | null } & (
  | { kind: 'status'; from: Order['status'] | null; to: Order['status'] }
  | { kind: 'change'; action: string; changes: Difference[] }
  /** `status`: the status that the step gave the order, if it changed it. */
  | {
      kind: 'dispatch';
      step: DispatchStep;
      dispatchId: string;
      status: Order['status'] | null;
      receivedBy: string | null;
    }
);

/** Changes of the order itself that its statuses do not show. */
const SHOWN_ACTIONS = new Set([
  'order.update',
  'order.hold',
  'order.release',
  'order.reserve',
  'order.close',
]);
/** Fields that change with every write, or that have entries of their own. */
const HIDDEN_FIELDS =
  /^(version|updatedAt|sourceVersion|orderId|statusHistory|status|onHold|warnings|createdAt|createdBy)\b/;

/** Indexes lines by number, so that one changed line does not make all of them appear changed. */
function byLine(value: unknown): unknown {
  const { lines, ...rest } = (value ?? {}) as { lines?: { lineNo: number }[] };
  if (!Array.isArray(lines)) return value;
  const named = lines.map(({ lineNo, ...line }) => [`#${lineNo}`, line] as const);
  return { ...rest, lines: Object.fromEntries(named) };
}

/**
 * Compares only fields present on both sides, because the order before a change has more than the request that changed it.
 */
function commonDifferences(before: unknown, after: unknown): Difference[] {
  const named = new Set(Object.keys((after ?? {}) as object));
  const kept = Object.fromEntries(
    Object.entries((before ?? {}) as object).filter(([name]) => named.has(name)),
  );
  return differences(byLine(kept), byLine(after)).filter(({ field }) => !HIDDEN_FIELDS.test(field));
}

const changeOf = (entry: AuditEntry): Happening => ({
  kind: 'change',
  key: entry.entryId,
  at: entry.at,
  by: entry.actor,
  reason: entry.reason,
  action: entry.action,
  changes: entry.action === 'order.update' ? commonDifferences(entry.before, entry.after) : [],
});

type Step = Extract<Happening, { kind: 'dispatch' }>;
type StatusChange = Extract<Happening, { kind: 'status' }>;

function stepsOf(dispatch: OrderDispatch): Step[] {
  const { dispatchId, receivedBy } = dispatch;
  const step = (name: DispatchStep, at: string | null, by: string | null, reason: string | null = null) =>
    at === null
      ? []
      : [
          {
            ...{ kind: 'dispatch' as const, key: `${dispatchId} ${name}`, step: name, dispatchId },
            ...{ at, by, reason, status: null, receivedBy: name === 'delivered' ? receivedBy : null },
          },
        ];
  const isFailed = dispatch.recheckReason !== null && dispatch.dispatchedAt === null;
  return [
    ...step('created', dispatch.createdAt, dispatch.createdBy),
    ...step('picked', dispatch.pickedAt, dispatch.pickedBy),
    ...step(
      isFailed ? 'failed' : 'passed',
      dispatch.recheckedAt,
      dispatch.recheckedBy,
      dispatch.recheckReason,
    ),
    ...step('delivered', dispatch.deliveredAt, null),
    ...step('cancelled', dispatch.cancelledAt, null, dispatch.cancelReason),
  ];
}

/** The statuses that a step of a dispatch can give its order. */
const GIVEN: Partial<Record<DispatchStep, readonly Order['status'][]>> = {
  passed: ['partially_dispatched', 'dispatched'],
  delivered: ['delivered'],
};

/** One transaction writes a step and the resulting status, so they form one entry, by the person who changed the status. */
function withStatus(steps: readonly Step[], statuses: readonly StatusChange[]): Happening[] {
  const given = new Map(
    steps.flatMap((step) => {
      const status = statuses.find(({ to, at }) => at === step.at && GIVEN[step.step]?.includes(to));
      return status ? [[status, step] as const] : [];
    }),
  );
  const changing = new Map([...given].map(([status, step]) => [step, status]));
  return [
    ...statuses.filter((status) => !given.has(status)),
    ...steps.map((step) => {
      const status = changing.get(step);
      return status ? { ...step, by: status.by, status: status.to } : step;
    }),
  ];
}

/** The usual order of steps with the same instant, because one transaction writes a step and the resulting status. */
const COURSE = [
  'pending_approval',
  'change',
  'rejected',
  'approved',
  'created',
  'picked',
  'failed',
  'passed',
  'partially_dispatched',
  'dispatched',
  'delivery',
  'delivered',
  'cancelled',
];
const rankOf = (happening: Happening): number => {
  if (happening.kind === 'change') return COURSE.indexOf('change');
  if (happening.kind === 'status') return COURSE.indexOf(happening.to);
  return COURSE.indexOf(happening.step === 'delivered' ? 'delivery' : happening.step);
};

/** All known entries, oldest first. */
export function timelineOf(
  order: Order,
  dispatches: readonly OrderDispatch[],
  entries: readonly AuditEntry[],
): Happening[] {
  const statuses = order.statusHistory.map(
    (change, i): StatusChange => ({
      kind: 'status',
      key: `status ${i}`,
      at: change.changedAt,
      by: change.changedBy,
      reason: change.reason,
      from: change.previousStatus,
      to: change.currentStatus,
    }),
  );
  const changes = entries.filter(({ action }) => SHOWN_ACTIONS.has(action)).map(changeOf);
  const all = [...withStatus(dispatches.flatMap(stepsOf), statuses), ...changes];
  return all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : rankOf(a) - rankOf(b)));
}
