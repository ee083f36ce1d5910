import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { openSender } from '../../platform/outbound-http/index.js';
import { secretBox } from '../../platform/secrets/index.js';
import { secretPlace } from '../sealed-secrets.store.js';
import { Endpoint } from './endpoint.js';
import { Pusher } from './pusher.js';

const EVENTS = 200;
const AT_ONCE = 10;
const box = secretBox(['a key that only this test has, long enough']);
const clock = { now: () => new Date('2026-11-15T10:00:00Z') };

it('pushes that fail at once leave the process its time: it does something else before the next ones', async () => {
  const policy = { problemWith: () => null, opensNetworks: false };
  const sender = openSender({ policy, timeoutMs: 5_000, clock, lookUp: () => {} });
  const facts = {
    ...{ orgId: 'org', webhookId: 'whk', customerCode: null, status: 'enabled' as const, ownerEndsAt: null },
    // Fails before anything is sent.
    callbackUrl: 'ftp://receiver.example/',
    ...{ secret: box.seal('secret', secretPlace('org', 'whk')), nextSecret: null, overlapUntil: null },
    subscriptions: [{ afterPosition: 0, eventTypes: ['inbound.received'] }],
    ...{ watermark: 0, sendFrom: 0, version: 1, head: EVENTS, incarnation: 'one' },
    ...{ hasDue: false, recovering: false, settledBeyond: [] },
  };
  const lease = { token: 'token', safeUntilMs: performance.now() + 600_000 };
  const endpoint = new Endpoint(facts, lease, sender, box);
  const events = Array.from({ length: EVENTS }, (_, i) => ({
    ...{ position: i + 1, eventId: `evt_${i}`, eventType: 'inbound.received', entity: `batch ${i}` },
    ...{ customerCode: null, body: Buffer.from('{}') },
  }));
  endpoint.queueLive(events, EVENTS);
  const limits = { perEndpoint: AT_ONCE, active: 100, activePerOrg: 75, slowAfterMs: 200 };
  const policyOfPushes = { timeoutMs: 5_000, headerPrefix: 'Lotward' } as ConstructorParameters<
    typeof Pusher
  >[0]['policy'];
  let ended = 0;
  const pusher = new Pusher({
    clock,
    policy: policyOfPushes,
    limits: { ...limits, open: 5_000, unrecorded: 5_000 },
    countUnrecorded: () => 0,
    onEnded: () => ended++,
  });
  pusher.add(endpoint);
  pusher.start();
  let before = 0;
  while (ended < EVENTS) {
    await new Promise(setImmediate);
    expect(ended - before).toBeLessThanOrEqual(AT_ONCE);
    before = ended;
  }
  await pusher.stop();
  await sender.close();
});
