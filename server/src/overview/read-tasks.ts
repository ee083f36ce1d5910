import { readCertificatesToRenew } from '../certificates/index.js';
import { readWaitingDispatches } from '../dispatching/index.js';
import { readUnacknowledgedAlerts } from '../environment/index.js';
import { readStillLow } from '../notifications/index.js';
import { readOrdersToApprove, readOrdersToDispatch } from '../orders/index.js';
import type { Tx } from '../platform/database/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';
import { readNonconformitiesToDecide, readWaitingDispositions } from '../quality/index.js';
import { readPendingReceipts } from '../receiving/index.js';
import { readDisabledWebhooks } from '../webhooks/index.js';
import type { NEEDS } from './overview.schemas.js';

type Kind = (typeof NEEDS)[number];

/** Tasks of one kind: how many there are, and the oldest of them. */
interface Waiting {
  count: number;
  oldest: WaitingRecord[];
}

export interface Task extends WaitingRecord {
  kind: Kind;
  validTo: string | null;
}

/** Counts that other parts of the overview have read already. */
export interface KnownCounts {
  toApprove: number;
  receipts: number;
  picking: number;
  toRecheck: number;
  unacknowledged: number;
  expired: number;
  expiring: number;
  recalls: Waiting;
  toDecide: number;
  dispositionsToApprove: number;
  dispositionsToExecute: number;
  disabled: number;
}

const OLDEST_OF_KIND = 10;
const SHOWN_MAX = 50;
/** The limit of a count: beyond it, the exact size of a backlog does not matter. */
const COUNT_MAX = 1_000;

/** Reads the tasks that these scopes allow, and the most urgent of all of them. */
export async function readTasks(
  tx: Tx,
  scopes: ReadonlySet<string>,
  known: Partial<KnownCounts>,
): Promise<{ needs: { kind: Kind; count: number }[]; tasks: Task[] }> {
  const of =
    (count: number | undefined, read: (tx: Tx, limit: number) => Promise<WaitingRecord[]>) =>
    async (): Promise<Waiting> =>
      count ? { count, oldest: await read(tx, OLDEST_OF_KIND) } : { count: 0, oldest: [] };
  const readers: readonly [scope: string, kind: Kind, read: () => Promise<Waiting>][] = [
    ['orders:approve', 'orders_to_approve', of(known.toApprove, readOrdersToApprove)],
    ['dispatches:write', 'orders_to_dispatch', () => readOrdersToDispatch(tx, OLDEST_OF_KIND, COUNT_MAX)],
    ['receipts:write', 'receipts_to_accept', of(known.receipts, readPendingReceipts)],
    [
      'dispatches:write',
      'dispatches_to_pick',
      of(known.picking, (t, n) => readWaitingDispatches(t, 'dispatches_to_pick', n)),
    ],
    [
      'dispatches:write',
      'dispatches_to_recheck',
      of(known.toRecheck, (t, n) => readWaitingDispatches(t, 'dispatches_to_recheck', n)),
    ],
    ['environment:write', 'alerts_to_acknowledge', of(known.unacknowledged, readUnacknowledgedAlerts)],
    [
      'certificates:write',
      'certificates_expired',
      of(known.expired, (t, n) => readCertificatesToRenew(t, 'expired', n)),
    ],
    [
      'certificates:write',
      'certificates_expiring',
      of(known.expiring, (t, n) => readCertificatesToRenew(t, 'expiring', n)),
    ],
    ['recalls:write', 'recalls_unanswered', async () => known.recalls ?? { count: 0, oldest: [] }],
    ['quality:write', 'nonconformities_to_decide', of(known.toDecide, readNonconformitiesToDecide)],
    [
      'quality:write',
      'dispositions_to_approve',
      of(known.dispositionsToApprove, (t, n) => readWaitingDispositions(t, 'dispositions_to_approve', n)),
    ],
    [
      'quality:write',
      'dispositions_to_execute',
      of(known.dispositionsToExecute, (t, n) => readWaitingDispositions(t, 'dispositions_to_execute', n)),
    ],
    ['webhooks:write', 'webhooks_disabled', of(known.disabled, readDisabledWebhooks)],
    ['inventory:write', 'products_low', () => readStillLow(tx, OLDEST_OF_KIND)],
  ];
  const waiting = await Promise.all(
    readers
      .filter(([scope]) => scopes.has(scope))
      .map(async ([, kind, read]) => ({ kind, ...(await read()) })),
  );
  return {
    needs: waiting.flatMap(({ kind, count }) => (count > 0 ? [{ kind, count }] : [])),
    tasks: urgentFirst(
      waiting.flatMap(({ kind, oldest }) => oldest.map((record) => ({ kind, validTo: null, ...record }))),
    ),
  };
}

/** Goods at risk come before what stops trade or notifications, and both before daily routine. */
const URGENCY: Readonly<Partial<Record<Kind, number>>> = {
  alerts_to_acknowledge: 2,
  recalls_unanswered: 2,
  certificates_expired: 1,
  webhooks_disabled: 1,
};
const urgencyOf = ({ kind, isOngoing }: Task): number => (URGENCY[kind] ?? 0) + (isOngoing ? 1 : 0);

/** Within the same urgency, the task that has waited longest comes first. */
const urgentFirst = (tasks: readonly Task[]): Task[] =>
  [...tasks]
    .sort((a, b) => urgencyOf(b) - urgencyOf(a) || a.since.getTime() - b.since.getTime())
    .slice(0, SHOWN_MAX);
