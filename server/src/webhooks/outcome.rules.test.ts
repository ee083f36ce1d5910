import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EndedAttempt, outcomeOf, type Standing } from './outcome.rules.js';
import type { StoredDelivery } from './webhook.js';

const MINUTE = 60_000;
const BEGIN = Date.parse('2026-11-15T10:00:00.000Z');
const policy = { retryDelaysMs: [MINUTE, 5 * MINUTE, 15 * MINUTE], disableAfter: 10 };
const healthy: Standing = { status: 'enabled', consecutiveFailures: 0, failingSince: null };
const disabled: Standing = { status: 'disabled', consecutiveFailures: 10, failingSince: new Date(BEGIN) };
const nothingKnown: ReadonlyMap<number, StoredDelivery> = new Map();

function attempt(position: number, delivered: boolean, endedMs = 0): EndedAttempt {
  return {
    position,
    at: new Date(BEGIN + endedMs - 20),
    endedAt: new Date(BEGIN + endedMs),
    durationMs: 20,
    delivered,
    status: delivered ? 204 : 500,
    error: null,
    responseExcerpt: null,
  };
}

const stored = (position: number, changes: Partial<StoredDelivery> = {}): StoredDelivery => ({
  position,
  status: 'retrying',
  attempts: 1,
  tries: 1,
  dueAt: new Date(BEGIN),
  manual: false,
  resumeDueAt: null,
  ...changes,
});
/** A push without retries left. */
const lastTry = (position: number): StoredDelivery => stored(position, { attempts: 3, tries: 3 });
const knowing = (...deliveries: StoredDelivery[]) => new Map(deliveries.map((d) => [d.position, d]));

/** One push whose attempts time out at these instants. */
function failTimes(endedMs: readonly number[], delays = policy.retryDelaysMs) {
  let standing = healthy;
  let known = nothingKnown;
  return endedMs.map((ms) => {
    const outcome = outcomeOf(standing, known, [attempt(1, false, ms)], { ...policy, retryDelaysMs: delays });
    standing = outcome.standing;
    known = knowing(...outcome.deliveries);
    return { ...outcome, delivery: outcome.deliveries[0] };
  });
}

describe('a push that fails', () => {
  it('is retried exactly 1, 5 and 15 minutes after the previous failure, and then has failed', () => {
    const ended = [7, 60_123, 400_001, 1_300_777];
    const rounds = failTimes(ended);
    expect(rounds.map(({ delivery }) => delivery?.status)).toEqual([
      'retrying',
      'retrying',
      'retrying',
      'failed',
    ]);
    expect(rounds.map(({ delivery }) => delivery?.dueAt?.getTime() ?? null)).toEqual([
      BEGIN + 7 + MINUTE,
      BEGIN + 60_123 + 5 * MINUTE,
      BEGIN + 400_001 + 15 * MINUTE,
      null,
    ]);
    expect(rounds.map(({ delivery }) => delivery?.attempts)).toEqual([1, 2, 3, 4]);
    expect(rounds.map(({ numbers }) => numbers)).toEqual([[1], [2], [3], [4]]);
    expect(rounds.map(({ standing }) => standing.consecutiveFailures)).toEqual([0, 0, 0, 1]);
    expect(rounds.map(({ standing }) => standing.failingSince)).toEqual([
      null,
      null,
      null,
      new Date(BEGIN + 1_300_777),
    ]);
  });

  it.each([
    [[], ['failed']],
    [[500], ['retrying', 'failed']],
    [
      [1, 2, 3, 4, 5],
      ['retrying', 'retrying', 'retrying', 'retrying', 'retrying', 'failed'],
    ],
  ])('is retried after the configured delays: %j', (delays, statuses) => {
    const rounds = failTimes(
      statuses.map((_, i) => i * 1_000),
      delays,
    );
    expect(rounds.map(({ delivery }) => delivery?.status)).toEqual(statuses);
    expect(rounds.slice(0, -1).map(({ delivery }) => delivery?.dueAt?.getTime())).toEqual(
      delays.map((delay, i) => BEGIN + i * 1_000 + delay),
    );
  });

  it.each([0, 1, 2, 3])('%i times before it succeeds is delivered and has no retry pending', (failures) => {
    const known = failures === 0 ? nothingKnown : knowing(stored(1, { attempts: failures, tries: failures }));
    const before = { ...healthy, consecutiveFailures: 4, failingSince: new Date(BEGIN) };
    const { standing, deliveries, numbers } = outcomeOf(before, known, [attempt(1, true)], policy);
    expect(standing).toEqual(healthy);
    expect(numbers).toEqual([failures + 1]);
    expect(deliveries).toEqual(
      failures === 0
        ? []
        : [stored(1, { status: 'delivered', attempts: failures + 1, tries: failures, dueAt: null })],
    );
  });

  it('restarts its retries when recovered, and continues to count its attempts', () => {
    const recovering = stored(1, { status: 'recovering', attempts: 4, tries: 0 });
    const { deliveries, numbers } = outcomeOf(healthy, knowing(recovering), [attempt(1, false)], policy);
    expect(numbers).toEqual([5]);
    expect(deliveries).toMatchObject([{ status: 'retrying', tries: 1, dueAt: new Date(BEGIN + MINUTE) }]);
  });
});

describe('failed pushes in a row', () => {
  const positions = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
  const allOnLastTry = knowing(...positions(40).map(lastTry));
  const failing = (count: number) => positions(count).map((p) => attempt(p, false, p * 1_000));

  it('disable the configuration at the tenth, and only then', () => {
    const nine = outcomeOf(healthy, allOnLastTry, failing(9), policy);
    expect(nine).toMatchObject({ disabled: false, standing: { status: 'enabled', consecutiveFailures: 9 } });
    const tenth = outcomeOf(nine.standing, allOnLastTry, [attempt(10, false, 10_000)], policy);
    expect(tenth).toMatchObject({
      disabled: true,
      standing: { status: 'disabled', consecutiveFailures: 10, failingSince: new Date(BEGIN + 1_000) },
    });
  });

  it('are counted from the last push that was delivered', () => {
    const ended = [...failing(9), attempt(20, true, 9_500), ...failing(9)];
    const { disabled: now, standing } = outcomeOf(healthy, allOnLastTry, ended, policy);
    expect({ now, count: standing.consecutiveFailures }).toEqual({ now: false, count: 9 });
  });

  it('are judged in the order the pushes ended, not in the order they happened', () => {
    const nineOld = { ...healthy, consecutiveFailures: 9, failingSince: new Date(BEGIN) };
    const failed = attempt(2, false);
    const delivered = attempt(1, true);
    expect(outcomeOf(nineOld, allOnLastTry, [delivered, failed], policy)).toMatchObject({
      disabled: false,
      standing: { consecutiveFailures: 1 },
    });
    expect(outcomeOf(nineOld, allOnLastTry, [failed, delivered], policy)).toMatchObject({
      disabled: true,
      standing: { status: 'disabled', consecutiveFailures: 10 },
    });
  });

  it('are not counted while a retry is left', () => {
    const { standing } = outcomeOf(healthy, nothingKnown, failing(40), policy);
    expect(standing).toEqual(healthy);
  });

  it.each([1, 3, 1_000])('disable it at the configured number %i', (disableAfter) => {
    const before = { ...healthy, consecutiveFailures: disableAfter - 1 };
    const own = { ...policy, disableAfter };
    expect(outcomeOf(before, allOnLastTry, failing(1), own).disabled).toBe(true);
    if (disableAfter === 1) return;
    const oneLess = { ...before, consecutiveFailures: disableAfter - 2 };
    expect(outcomeOf(oneLess, allOnLastTry, failing(1), own).disabled).toBe(false);
  });

  it('after the one that disabled it are skipped, with their attempts', () => {
    const { deliveries, standing } = outcomeOf(healthy, allOnLastTry, failing(12), policy);
    expect(deliveries.map((d) => d.status)).toEqual([
      ...Array.from({ length: 10 }, () => 'failed'),
      'skipped',
      'skipped',
    ]);
    expect(deliveries.at(-1)).toMatchObject({ attempts: 4, dueAt: null });
    expect(standing.consecutiveFailures).toBe(10);
  });
});

describe('while disabled', () => {
  it('a first attempt in progress that fails is skipped', () => {
    const {
      deliveries,
      standing,
      disabled: now,
    } = outcomeOf(disabled, nothingKnown, [attempt(1, false)], policy);
    expect(deliveries).toMatchObject([{ position: 1, status: 'skipped', attempts: 1, dueAt: null }]);
    expect(standing).toEqual(disabled);
    expect(now).toBe(false);
  });

  it('an attempt that succeeds is delivered, and does not enable the webhook', () => {
    const { deliveries, standing } = outcomeOf(disabled, knowing(lastTry(1)), [attempt(1, true)], policy);
    expect(deliveries).toMatchObject([{ status: 'delivered' }]);
    expect(standing).toEqual(disabled);
  });
});

describe('a manual redelivery', () => {
  const later = new Date(BEGIN + 99_000);
  const asked = (status: StoredDelivery['status'], resumeDueAt: Date | null) =>
    stored(1, { status, attempts: 2, tries: 2, manual: true, dueAt: new Date(BEGIN), resumeDueAt });

  it.each([
    ['delivered', null],
    ['failed', null],
    ['skipped', null],
    ['retrying', later],
    ['recovering', later],
  ] as const)('that fails leaves one that was %s as it was', (status, dueAt) => {
    const nine = { ...healthy, consecutiveFailures: 9, failingSince: new Date(BEGIN) };
    const outcome = outcomeOf(nine, knowing(asked(status, dueAt)), [attempt(1, false)], policy);
    expect(outcome.deliveries).toEqual([stored(1, { status, attempts: 3, tries: 2, dueAt })]);
    expect(outcome.standing).toEqual(nine);
    expect(outcome.disabled).toBe(false);
  });

  it('that succeeds is delivered for good, and does not end a row of failures', () => {
    const nine = { ...healthy, consecutiveFailures: 9, failingSince: new Date(BEGIN) };
    const outcome = outcomeOf(nine, knowing(asked('retrying', later)), [attempt(1, true)], policy);
    expect(outcome.deliveries).toEqual([
      stored(1, { status: 'delivered', attempts: 3, tries: 2, dueAt: null }),
    ]);
    expect(outcome.standing).toEqual(nine);
  });
});

/** An independent model of the guarantee, one push after the other, to check the rules against. */
function expectedCount(
  before: number,
  ended: readonly { failed: boolean; manual: boolean }[],
  limit: number,
) {
  let count = before;
  for (const { failed, manual } of ended) {
    if (count >= limit) break;
    if (manual) continue;
    count = failed ? count + 1 : 0;
  }
  return { count, isDisabled: count >= limit };
}

describe('pushes that end in any order', () => {
  const pushes = fc.array(
    fc.record({ failed: fc.boolean(), manual: fc.boolean(), tries: fc.integer({ min: 0, max: 3 }) }),
    { maxLength: 60 },
  );

  it('the count is the length of the last unbroken row of failed pushes', () => {
    fc.assert(
      fc.property(pushes, fc.integer({ min: 1, max: 12 }), (drawn, disableAfter) => {
        const known = knowing(...drawn.map(({ manual }, i) => ({ ...lastTry(i), manual })));
        const ended = drawn.map(({ failed }, i) => attempt(i, !failed, i));
        const { standing } = outcomeOf(healthy, known, ended, { ...policy, disableAfter });
        const { count, isDisabled } = expectedCount(0, drawn, disableAfter);
        expect(standing.consecutiveFailures).toBe(count);
        expect(standing.status).toBe(isDisabled ? 'disabled' : 'enabled');
        expect(standing.failingSince === null).toBe(count === 0);
      }),
    );
  });

  it('results written one by one have the same effect as all at once', () => {
    fc.assert(
      fc.property(pushes, fc.integer({ min: 1, max: 6 }), (drawn, disableAfter) => {
        const before = drawn.map(({ manual, tries }, i) => stored(i % 7, { manual, tries, attempts: tries }));
        const known = knowing(...before);
        const ended = drawn.map(({ failed }, i) => attempt(i % 7, !failed, i));
        const own = { ...policy, disableAfter };
        const together = outcomeOf(healthy, known, ended, own);
        let standing = healthy;
        const rows = new Map<number, StoredDelivery>();
        const numbers: number[] = [];
        for (const each of ended) {
          const one = outcomeOf(standing, new Map([...known, ...rows]), [each], own);
          standing = one.standing;
          numbers.push(...one.numbers);
          for (const row of one.deliveries) rows.set(row.position, row);
        }
        expect(together.standing).toEqual(standing);
        expect(together.numbers).toEqual(numbers);
        expect(knowing(...together.deliveries)).toEqual(rows);
      }),
    );
  });

  it('only a push with a pending retry has a due time, and attempts only increase', () => {
    fc.assert(
      fc.property(pushes, (drawn) => {
        const known = knowing(...drawn.map(({ tries }, i) => stored(i, { tries, attempts: tries })));
        const ended = drawn.map(({ failed }, i) => attempt(i, !failed, i));
        for (const row of outcomeOf(healthy, known, ended, policy).deliveries) {
          expect(row.dueAt !== null).toBe(row.status === 'retrying');
          expect(row.attempts).toBe((known.get(row.position)?.attempts ?? 0) + 1);
          expect(row.manual).toBe(false);
        }
      }),
    );
  });
});
