import { type Static, Type } from 'typebox';
import type { Database } from '../platform/database/index.js';
import {
  decodeCursor,
  encodeCursor,
  invalid,
  Nullable,
  OneOf,
  type Route,
  readRoute,
  Strict,
} from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { verificationBusy } from './audit.errors.js';
import {
  continueWalk,
  DIFFERENCES,
  type DifferenceReason,
  startWalk,
  type Walk,
  type WalkResult,
} from './verify-audit.js';

/** One call takes well under a second, and one of its pages fits into memory however large its entries are. */
const LIMITS = { entriesMax: 10_000, charactersMax: 16_000_000, page: 200 };
const WAITING_MAX = 4;
const CURSOR = 'audit-verification';

const Hash = (description?: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', ...(description ? { description } : {}) });
const Position = (description: string) => Type.Integer({ minimum: 0, description });

const Verification = Type.Object({
  status: OneOf(['intact', 'broken', 'incomplete'] as const),
  verifiedEntries: Position('How many entries from the first one on are what was sealed.'),
  verifiedHash: Hash('Hash of the last of them.'),
  chainLength: Position('How many entries are sealed; more may follow.'),
  firstDifference: Type.Unsafe<{
    position: number;
    entryId: string | null;
    reason: DifferenceReason;
    message: string;
  } | null>({
    ...Type.Object({
      position: Position('Place in the chain.'),
      entryId: Nullable(Type.String()),
      reason: OneOf(Object.keys(DIFFERENCES) as DifferenceReason[]),
      message: Type.String(),
    }),
    type: ['object', 'null'],
  } as never),
  nextCursor: Nullable(Type.String({ description: 'Continue with it while `status` is `incomplete`.' })),
});

export function verificationRoutes(database: Database): Route[] {
  const takeTurn = oneAtATime();
  return [
    readRoute({
      operationId: 'verifyAudit',
      path: '/v2/audit/verification',
      scope: 'audit:read',
      tag: 'Audit',
      summary: 'Verify the audit chain',
      description:
        'Recomputes the chain from its first entry, up to 10,000 entries a call; continue with `nextCursor` until `status` is ' +
        '`intact` or `broken`. Entries that are not sealed yet are not included. With `expectHead`, a hash noted earlier, it also ' +
        'detects a chain that was truncated together with its head.',
      query: Strict({
        expectHead: Type.Optional(
          Hash('A `hash` of `/v2/audit/head` noted earlier; it must be part of the chain.'),
        ),
        cursor: Type.Optional(Type.String({ maxLength: 1_024 })),
      }),
      data: Verification,
      async read({ principal, query }) {
        const from = walkAt(query.cursor, query.expectHead ?? null);
        return toView(await takeTurn(principal, () => continueWalk(database, principal, from, LIMITS)));
      },
    }),
  ];
}

function walkAt(cursor: string | undefined, expectedHead: string | null): Walk {
  const key = decodeCursor(CURSOR, cursor, 4);
  if (key === null) return startWalk(expectedHead);
  const [position = '', hash = '', expected = '', saw = ''] = key;
  const isOurs =
    Number.isSafeInteger(Number(position)) && Number(position) > 0 && /^[0-9a-f]{64}$/.test(hash);
  // A walk that did not look for this head from the start may have passed it already.
  if (!isOurs || expected !== (expectedHead ?? '')) throw invalid('bad_cursor', 'cursor');
  return { position: Number(position), hash, expectedHead, sawExpected: saw === 'seen' };
}

const cursorOf = ({ position, hash, expectedHead, sawExpected }: Walk): string =>
  encodeCursor(CURSOR, [String(position), hash, expectedHead ?? '', sawExpected ? 'seen' : '']);

function toView({ walk, head, difference, isEnd }: WalkResult): Static<typeof Verification> {
  return {
    status: difference ? 'broken' : isEnd ? 'intact' : 'incomplete',
    verifiedEntries: walk.position,
    verifiedHash: walk.hash,
    chainLength: Math.max(head.position, walk.position),
    firstDifference: difference && {
      position: difference.position,
      entryId: difference.entryId,
      reason: difference.reason,
      message: difference.problem,
    },
    nextCursor: isEnd ? null : cursorOf(walk),
  };
}

/** One walk at a time per organization: each takes a connection and time from the others. */
function oneAtATime() {
  const lanes = new Map<string, { last: Promise<unknown>; count: number }>();
  return async function takeTurn<T>({ orgId }: Principal, work: () => Promise<T>): Promise<T> {
    const lane = lanes.get(orgId) ?? { last: Promise.resolve(), count: 0 };
    if (lane.count > WAITING_MAX) throw verificationBusy();
    lanes.set(orgId, lane);
    lane.count++;
    const turn = lane.last.then(work);
    lane.last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      lane.count--;
      if (lane.count === 0) lanes.delete(orgId);
    }
  };
}
