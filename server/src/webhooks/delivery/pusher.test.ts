import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openReceiver } from '../../../test/harness/index.js';
import { openSender } from '../../platform/outbound-http/index.js';
import { secretBox } from '../../platform/secrets/index.js';
import { NO_FILTER } from '../code-filter.rules.js';
import { secretPlace } from '../sealed-secrets.store.js';
import { Endpoint } from './endpoint.js';
import { Pusher } from './pusher.js';

const AT_ONCE = 10;
const box = secretBox(['a key that only this test has, long enough']);
const clock = { now: () => new Date('2026-11-15T10:00:00Z') };

const policy = { problemWith: () => null, opensNetworks: false };
const EVENTS = 200;
const PAUSE_MS = 250;

/** An endpoint with events to send, in a process that has nothing else to do. */
function openPushes(callbackUrl: string) {
  const sender = openSender({ policy, timeoutMs: 5_000, clock, lookUp: () => {} });
  const facts = {
    ...{ orgId: 'org', webhookId: 'whk', customerCode: null, status: 'enabled' as const, ownerEndsAt: null },
    callbackUrl,
    ...{
      secret: box.seal('secret', secretPlace('org', 'whk')),
      nextSecret: null,
      overlapUntil: null,
      headers: null,
      sandbox: false,
    },
    subscriptions: [{ afterPosition: 0, eventTypes: ['inbound.received'], filter: NO_FILTER }],
    ...{ watermark: 0, sendFrom: 0, version: 1, head: EVENTS, incarnation: 'one' },
    ...{ hasDue: false, recovering: false, settledBeyond: [] },
  };
  const lease = { token: 'token', safeUntilMs: performance.now() + 600_000 };
  const endpoint = new Endpoint(facts, lease, sender, box);
  const events = Array.from({ length: EVENTS }, (_, i) => ({
    ...{ position: i + 1, eventId: `evt_${i}`, eventType: 'inbound.received', entity: `batch ${i}` },
    ...{ customerCode: null, isCustomerView: false, concerns: null, body: Buffer.from('{}') },
  }));
  endpoint.queueLive(events, EVENTS);
  const limits = { perEndpoint: AT_ONCE, active: 100, activePerOrg: 75, slowAfterMs: 200 };
  const policyOfPushes = { timeoutMs: 5_000, headerPrefix: 'Lotward' } as ConstructorParameters<
    typeof Pusher
  >[0]['policy'];
  let ended = 0;
  let pausesEnded = 0;
  const pusher = new Pusher({
    clock,
    policy: policyOfPushes,
    limits: { ...limits, open: 5_000, unrecorded: 5_000, pauseMs: PAUSE_MS },
    countUnrecorded: () => 0,
    onEnded: () => ended++,
    onPauseEnded: () => pausesEnded++,
  });
  pusher.add(endpoint);
  pusher.start();
  return {
    ended: () => ended,
    pausesEnded: () => pausesEnded,
    async close() {
      await pusher.stop();
      await sender.close();
    },
  };
}
type Pushes = ReturnType<typeof openPushes>;

afterEach(() => {
  vi.useRealTimers();
});

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

describe('an endpoint that is down', () => {
  it('leaves the process its time: after ten failures in a row no other push follows at once', async () => {
    // Fails before anything is sent.
    const pushes = openPushes('ftp://receiver.example/');
    await turns(1000);
    expect(pushes.ended()).toBeLessThan(2 * AT_ONCE);
    await pushes.close();
  });

  it('is supplied again when its pause is over, unless the process has stopped pushing meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [goesOn, stopped] = [1, 2].map(() => openPushes('ftp://receiver.example/')) as [Pushes, Pushes];
    await turns(1000);
    await stopped.close();
    expect([goesOn.pausesEnded(), stopped.pausesEnded()]).toEqual([0, 0]);
    vi.advanceTimersByTime(PAUSE_MS + 1);
    expect([goesOn.pausesEnded(), stopped.pausesEnded()]).toEqual([1, 0]);
    await goesOn.close();
  });

  it('is tried again one push at a time, and gets everything at full speed once it answers', async () => {
    const receiver = await openReceiver();
    let isDown = true;
    let atOnceMax = 0;
    let open = 0;
    receiver.answer = () => {
      atOnceMax = Math.max(atOnceMax, ++open);
      const until = turns(20).then(() => open--);
      return { status: isDown ? 500 : 204, until };
    };
    const pushes = openPushes(receiver.url('/hook'));
    await expect.poll(pushes.ended, { timeout: 60_000 }).toBeGreaterThanOrEqual(2 * AT_ONCE);
    atOnceMax = 0;
    const before = pushes.ended();
    await expect.poll(pushes.ended, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + 4);
    expect(atOnceMax).toBe(1);
    isDown = false;
    await expect.poll(pushes.ended, { timeout: 60_000 }).toBe(EVENTS);
    expect(atOnceMax).toBe(AT_ONCE);
    await pushes.close();
    await receiver.close();
  });
});
