import { recordAudit } from '../audit/index.js';
import { EVENT_TYPES, type EventType } from '../events/index.js';
import { lockOwnOrganization, moveClock } from '../organizations/index.js';
import type { Tx } from '../platform/database/index.js';
import { invalid } from '../platform/http/index.js';
import { businessDay } from '../platform/principal.js';
import { type DailyRunOptions, performDailyRunIn } from '../watch/index.js';
import { ADVANCE_DAYS_MAX, daysAfter, daysOf } from './duration.rules.js';
import { refuseSandbox } from './sandbox.errors.js';

/** Ten years; the table checks this too. */
const DAYS_AHEAD_MAX = 3_660;
/** The maximum number of notifications listed in a response; all are counted. */
const NAMED_MAX = 1_000;

interface Emitted {
  businessDate: string;
  eventType: EventType;
  entityId: string;
}

export interface ClockMove {
  businessDate: string;
  daysAhead: number;
  days: number;
  counts: { eventType: EventType; count: number }[];
  emitted: Emitted[];
}

/**
 * Advances the clock of the sandbox day by day, each with the daily run that a worker performs. All of it is one
 * transaction: another call waits for it and continues from there, and a process that dies leaves the clock unchanged.
 */
export async function advanceClock(tx: Tx, advance: string, options: DailyRunOptions): Promise<ClockMove> {
  const before = await lockOwnOrganization(tx);
  const { daysAhead } = before.sandbox ?? { daysAhead: 0 };
  const from = businessDay(before, tx.now);
  const days = daysOf(advance, from);
  if (days === null)
    throw invalid(
      'bad_format',
      '/advance',
      'must be an ISO 8601 duration of whole days such as P30D, P2W or P1M',
    );
  if (days < 1 || days > ADVANCE_DAYS_MAX || daysAhead + days > DAYS_AHEAD_MAX)
    throw refuseSandbox('clock_too_far', '/advance', tooFar(days, daysAhead));
  await moveClock(tx, daysAhead + days);
  const all: Emitted[] = [];
  let businessDate = from;
  for (const day of daysAfter(from, days)) {
    const emitted = await performDailyRunIn(tx.on(day), options);
    for (const eventType of EVENT_TYPES)
      for (const entityId of emitted[eventType] ?? []) all.push({ businessDate: day, eventType, entityId });
    businessDate = day;
  }
  await recordAudit(tx, {
    action: 'sandbox.advance_clock',
    entityType: 'organization',
    entityId: tx.orgId,
    before: { businessDate: from, daysAhead },
    after: { businessDate, daysAhead: daysAhead + days },
  });
  const counts = EVENT_TYPES.flatMap((eventType) => {
    const count = all.filter((each) => each.eventType === eventType).length;
    return count === 0 ? [] : [{ eventType, count }];
  });
  return { businessDate, daysAhead: daysAhead + days, days, counts, emitted: all.slice(0, NAMED_MAX) };
}

function tooFar(days: number, daysAhead: number): string {
  if (days < 1) return 'advance by at least one day, such as P1D; the clock never goes back';
  if (days > ADVANCE_DAYS_MAX) return `${days} days are more than the ${ADVANCE_DAYS_MAX} of one call`;
  return `the clock is ${daysAhead} days ahead, and ${DAYS_AHEAD_MAX} are the most`;
}
