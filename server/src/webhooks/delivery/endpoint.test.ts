import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../events/index.js';
import { secretBox } from '../../platform/secrets/index.js';
import { NO_FILTER } from '../code-filter.rules.js';
import { secretPlace } from '../sealed-secrets.store.js';
import { byKey, Endpoint } from './endpoint.js';
import { EventFilter } from './event-filter.js';
import { FeedProgress } from './feed-progress.js';
import { InFlight } from './in-flight.js';
import type { EndpointFacts } from './lease.store.js';
import type { PushItem } from './push-queue.js';

const box = secretBox(['a key that only this test has, long enough']);
const sender = { send: () => Promise.reject(new Error('nothing is sent here')), close: async () => {} };
const clock = { now: () => new Date('2026-11-15T10:00:00Z') };
const MINUTE_MS = 60_000;

const facts = (changed: Partial<EndpointFacts> = {}): EndpointFacts => ({
  orgId: 'org',
  webhookId: 'whk',
  callbackUrl: 'https://receiver.example/',
  customerCode: null,
  secret: box.seal('secret', secretPlace('org', 'whk')),
  nextSecret: null,
  overlapUntil: null,
  headers: null,
  sandbox: false,
  subscriptions: [{ afterPosition: 0, eventTypes: ['inbound.received'], filter: NO_FILTER }],
  status: 'enabled',
  ownerEndsAt: null,
  watermark: 0,
  sendFrom: 0,
  version: 1,
  head: 0,
  incarnation: 'one',
  hasDue: false,
  recovering: false,
  settledBeyond: [],
  ...changed,
});

const event = (position: number): FeedEvent => ({
  position,
  eventId: `evt_${position}`,
  eventType: 'inbound.received',
  entity: `batch ${position}`,
  customerCode: null,
  isCustomerView: false,
  concerns: null,
  body: Buffer.from('{}'),
});

const open = (changed: Partial<EndpointFacts> = {}, leaseMs = MINUTE_MS): Endpoint => {
  const lease = { token: 'token', safeUntilMs: performance.now() + leaseMs };
  return new Endpoint(facts(changed), lease, sender, box);
};

/** Takes the next push and ends it: with this status, or without an answer. */
function push(endpoint: Endpoint, status: number | null = 200): void {
  const item = endpoint.takePush(10, clock);
  if (!item) throw new Error('there is nothing to push');
  end(endpoint, item, status);
}

function end(endpoint: Endpoint, item: PushItem, status: number | null): void {
  const { position } = item.event;
  const at = clock.now();
  const ended = { delivered: status === 200, status, error: status === null ? 'timeout' : null };
  endpoint.endPush(item, { position, at, endedAt: at, durationMs: 1, ...ended, responseExcerpt: null }, 250);
}

/** Has answered a push, so that several are sent at a time. */
function openProven(changed: Partial<EndpointFacts> = {}): Endpoint {
  const endpoint = open(changed);
  endpoint.queueDue([{ event: event(0), attempts: 1, isStored: true }]);
  push(endpoint);
  return endpoint;
}

/** Has two events in its queue, and the first of them pushed. */
function openWithResult(): Endpoint {
  const endpoint = open({ head: 2 });
  endpoint.queueLive([event(1), event(2)], 2);
  push(endpoint);
  return endpoint;
}

describe('the lease of an endpoint', () => {
  it('covers a push that would end before it, and no longer one', () => {
    const endpoint = open();
    expect([endpoint.hasLeaseFor(MINUTE_MS / 2), endpoint.hasLeaseFor(2 * MINUTE_MS)]).toEqual([true, false]);
    expect(open({}, -1).hasLeaseFor(0)).toBe(false);
    endpoint.extendLease(performance.now() + 3 * MINUTE_MS);
    expect(endpoint.hasLeaseFor(2 * MINUTE_MS)).toBe(true);
  });

  it('states no watermark beyond results that are still to be written, or being written', () => {
    const endpoint = openWithResult();
    expect([endpoint.lease.watermark, endpoint.isQuiet]).toEqual([0, false]);
    const batch = endpoint.startWrite();
    expect([batch.watermark, endpoint.lease.watermark, endpoint.isQuiet]).toEqual([1, 0, false]);
    endpoint.endWrite(batch);
    expect([endpoint.lease.watermark, endpoint.isQuiet]).toEqual([1, true]);
  });

  it('a watermark written with older subscriptions does not count as written', () => {
    const endpoint = openWithResult();
    const batch = endpoint.startWrite();
    endpoint.reconfigure(facts({ version: 2, head: 2 }), box);
    endpoint.endWrite(batch);
    push(endpoint);
    expect(endpoint.lease.watermark).toBe(0);
  });

  it('a watermark written with the current subscriptions does', () => {
    const endpoint = openWithResult();
    endpoint.endWrite(endpoint.startWrite());
    push(endpoint);
    expect(endpoint.lease.watermark).toBe(1);
  });

  it('is released after a time without activity, but never while a push is due', () => {
    const idle = open();
    expect([idle.hasIdledFor(-1), idle.hasIdledFor(MINUTE_MS)]).toEqual([true, false]);
    expect(open({ hasDue: true }).hasIdledFor(-1)).toBe(false);
    expect(open({ hasDue: true, status: 'disabled' }).hasIdledFor(-1)).toBe(true);
    expect(open({ head: 1 }).hasIdledFor(-1)).toBe(false);
  });

  it('is not released while a push waits, or a result is not written', () => {
    const queued = open({ head: 1 });
    queued.queueLive([event(1)], 1);
    expect(queued.hasIdledFor(-1)).toBe(false);
    push(queued);
    expect(queued.hasIdledFor(-1)).toBe(false);
    queued.endWrite(queued.startWrite());
    expect(queued.hasIdledFor(-1)).toBe(true);
  });

  it('rows are locked by organization, then by webhook', () => {
    const keys = [
      ['b', '1'],
      ['a', '2'],
      ['b', '0'],
      ['a', '1'],
    ].map(([orgId = '', webhookId = '']) => ({ orgId, webhookId }));
    expect(keys.sort(byKey).map(({ orgId, webhookId }) => orgId + webhookId)).toEqual([
      'a1',
      'a2',
      'b0',
      'b1',
    ]);
  });
});

it('a configuration read again says that the recovery is over, though nobody changed the webhook', () => {
  const endpoint = open({ recovering: true });
  endpoint.reconfigure(facts({ recovering: false }), box);
  expect(endpoint.isRecovering).toBe(false);
});

it('secrets are decrypted again when the webhook has changed, not when it was read again', () => {
  let opened = 0;
  const counting: typeof box = {
    ...box,
    open: (...sealed) => {
      opened++;
      return box.open(...sealed);
    },
  };
  const endpoint = open();
  endpoint.reconfigure(facts(), counting);
  expect(opened).toBe(0);
  endpoint.reconfigure(facts({ version: 2 }), counting);
  expect(opened).toBeGreaterThan(0);
});

describe('the pushes of an endpoint', () => {
  it('that are stored go before those from the feed', () => {
    const endpoint = openProven({ head: 3 });
    endpoint.queueLive([event(3)], 3);
    endpoint.queueDue([{ event: event(1), attempts: 1, isStored: true }]);
    const taken = [endpoint.takePush(10, clock), endpoint.takePush(10, clock)];
    expect(taken.map((item) => item?.event.position)).toEqual([1, 3]);
  });

  it('are sent two at a time until it has answered one, and more from then on', () => {
    const endpoint = open({ head: 9 });
    endpoint.queueLive([1, 2, 3, 4, 5, 6].map(event), 9);
    const takeAll = () => [1, 2, 3].map(() => endpoint.takePush(10, clock)?.event.position);
    push(endpoint, null);
    expect(takeAll()).toEqual([2, 3, undefined]);
    const answered = open({ head: 9 });
    answered.queueLive([1, 2, 3, 4].map(event), 9);
    push(answered, 500);
    const taken = [1, 2, 3].map(() => answered.takePush(10, clock)?.event.position);
    expect(taken).toEqual([2, 3, 4]);
  });

  it('pause when it has not answered its first two, for longer with every failure, and go on when it has', () => {
    const endpoint = open({ head: 9 });
    endpoint.queueLive([1, 2, 3, 4, 5, 6, 7, 8].map(event), 9);
    const taken = [1, 2].map(() => endpoint.takePush(10, clock) as PushItem);
    for (const item of taken) end(endpoint, item, null);
    expect(endpoint.takePush(10, clock)).toBe(null);
    // Sent before the pause, and ended in it.
    const pauses = taken.map((item) => {
      end(endpoint, item, null);
      return endpoint.pauseMs;
    });
    expect(pauses[0]).toBeGreaterThan(400);
    expect(pauses[1]).toBeGreaterThan(900);
    for (const item of [...taken, ...taken, ...taken]) end(endpoint, item, null);
    expect(endpoint.pauseMs).toBeLessThanOrEqual(2_000);
    end(endpoint, taken[0] as PushItem, 200);
    expect([endpoint.pauseMs, endpoint.takePush(10, clock)?.event.position]).toEqual([0, 3]);
  });

  it('pause no longer than at first when it has answered before', () => {
    const endpoint = openProven({ head: 30 });
    endpoint.queueLive(
      Array.from({ length: 20 }, (_, i) => event(i + 1)),
      30,
    );
    const taken = Array.from({ length: 9 }, () => endpoint.takePush(10, clock) as PushItem);
    for (const item of taken) end(endpoint, item, null);
    expect(endpoint.pauseMs).toBe(0);
    for (const item of taken.slice(0, 5)) end(endpoint, item, null);
    expect(endpoint.pauseMs).toBeGreaterThan(0);
    expect(endpoint.pauseMs).toBeLessThanOrEqual(250);
  });

  it('stop when it drains, is disabled, or its owner has ended', () => {
    const takenFrom = (changed: Partial<EndpointFacts>, change: (endpoint: Endpoint) => void = () => {}) => {
      const endpoint = open({ head: 1, ...changed });
      endpoint.queueLive([event(1)], 1);
      change(endpoint);
      return endpoint.takePush(10, clock)?.event.position ?? null;
    };
    expect(takenFrom({})).toBe(1);
    expect(takenFrom({}, (endpoint) => endpoint.drain())).toBe(null);
    expect(takenFrom({}, (endpoint) => endpoint.disable())).toBe(null);
    expect(takenFrom({ ownerEndsAt: new Date('2026-11-15T09:59:59Z') })).toBe(null);
    expect(takenFrom({ ownerEndsAt: new Date('2026-11-15T10:00:01Z') })).toBe(1);
  });
});

it('events read again after a change of types are kept in the order of the feed', () => {
  const progress = new FeedProgress(0);
  progress.read([2, 5], 5);
  progress.rewindTo(2);
  progress.read([3], 5);
  progress.settle([2]);
  expect(progress.watermark).toBe(2);
  progress.settle([5]);
  expect(progress.watermark).toBe(2);
  progress.settle([3]);
  expect(progress.watermark).toBe(5);
});

describe('events that are urgent', () => {
  const subscriptions = [
    { afterPosition: 0, eventTypes: ['inbound.received', 'recall.opened'], filter: NO_FILTER },
  ];
  const urgent = (position: number): FeedEvent => ({
    ...event(position),
    eventType: 'recall.opened',
    entity: 'recall 1',
  });

  it('are pushed before what is queued, leave the watermark, and are not selected again', () => {
    const endpoint = openProven({ head: 900, subscriptions });
    endpoint.queueLive([event(1), event(2)], 256);
    endpoint.queueUrgent([urgent(700), urgent(800)], [urgent(700), urgent(800)], 900);
    expect(endpoint.takePush(10, clock)?.event.position).toBe(700);
    // The next one of the recall waits for it.
    expect(endpoint.takePush(10, clock)?.event.position).toBe(1);
    expect(endpoint.selectMatching([event(600), urgent(700), urgent(800)])).toEqual([event(600)]);
    expect(endpoint.lease.watermark).toBe(0);
  });

  it('let the watermark pass them only when the feed was read that far', () => {
    const endpoint = open({ head: 900, subscriptions });
    endpoint.queueUrgent([urgent(700)], [urgent(700)], 900);
    push(endpoint);
    const batch = endpoint.startWrite();
    expect(batch.watermark).toBe(0);
    endpoint.endWrite(batch);
    endpoint.queueLive([event(300)], 900);
    push(endpoint);
    expect(endpoint.startWrite().watermark).toBe(900);
  });

  it('are looked for once up to the head, and again when the types change', () => {
    const endpoint = open({ head: 900, subscriptions });
    expect(endpoint.urgentReadTo).toBe(0);
    endpoint.queueUrgent([], [], 900);
    expect(endpoint.urgentReadTo).toBeNull();
    endpoint.advanceHead(901);
    expect(endpoint.urgentReadTo).toBe(900);
    const more = { afterPosition: 800, eventTypes: ['recall.opened', 'recall.closed'], filter: NO_FILTER };
    endpoint.reconfigure(facts({ version: 2, subscriptions: [...subscriptions, more] }), box);
    expect(endpoint.urgentReadTo).toBe(0);
    expect(open({ head: 900 }).urgentReadTo).toBeNull();
  });
});

describe('a change of the types an endpoint is subscribed to', () => {
  const first = { afterPosition: 0, eventTypes: ['inbound.received'], filter: NO_FILTER };

  it('lets the feed be read again from where it begins', () => {
    const filter = new EventFilter(facts());
    const next = { afterPosition: 4, eventTypes: ['inbound.received', 'expiry.warning'], filter: NO_FILTER };
    expect(filter.change({ customerCode: null, subscriptions: [first, next] }, 7)).toBe(4);
    // Changed once more at the same position.
    const last = { afterPosition: 4, eventTypes: ['expiry.warning'], filter: NO_FILTER };
    expect(filter.change({ customerCode: null, subscriptions: [first, last] }, 7)).toBe(4);
  });

  it('that changes nothing, or nothing read yet, lets nothing be read again', () => {
    const filter = new EventFilter(facts());
    expect(filter.change({ customerCode: null, subscriptions: [{ ...first }] }, 7)).toBe(7);
    const next = { afterPosition: 7, eventTypes: ['expiry.warning'], filter: NO_FILTER };
    expect(filter.change({ customerCode: null, subscriptions: [first, next] }, 7)).toBe(7);
  });
});

it('pushes are drained at once where none is in flight, and otherwise with the last of them', async () => {
  const inFlight = new InFlight(MINUTE_MS, () => {});
  await inFlight.drained();
  const tickets = [inFlight.start('org_1'), inFlight.start('org_1')];
  let isDrained = false;
  const drained = inFlight.drained().then(() => {
    isDrained = true;
  });
  for (const ticket of tickets) {
    await Promise.resolve();
    expect(isDrained).toBe(false);
    inFlight.end(ticket);
  }
  await drained;
});
