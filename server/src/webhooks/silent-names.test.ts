import { afterAll, beforeAll, expect, it } from 'vitest';
import { newOrganization, openPushWorld, type PushWorld } from '../../test/harness/index.js';
import { type NameServer, openNameServer } from '../platform/outbound-http/name-server.fixture.js';

const WEBHOOKS = 40;
const PUSHES = 5;
const silentName = (n: number) => `silent-${n}.attacker.example`;
const VICTIM = 'hook.victim.example';

let names: NameServer;
let world: PushWorld;
beforeAll(async () => {
  const silent = Array.from({ length: WEBHOOKS }, (_, n) => [silentName(n), ['127.0.0.1']]);
  names = await openNameServer({ [VICTIM]: ['127.0.0.1'], ...Object.fromEntries(silent) });
  // Nothing is kept from registration: every push asks again.
  names.ttlSeconds = 0;
  world = await openPushWorld({ webhooks: { nameServers: [names.address] } });
});
afterAll(async () => {
  await world.close();
  await names.close();
});

it('pushes are made while forty names of another organization are looked up without an answer', async () => {
  const org = await newOrganization(world.db);
  const attacked = [];
  for (let n = 0; n < WEBHOOKS; n++)
    attacked.push(await world.subscribe({ org, url: `http://${silentName(n)}:8443/hook` }));
  const victim = await world.subscribe({ url: world.receiver.url('/named').replace('127.0.0.1', VICTIM) });
  names.silentFor = (name) => name.startsWith('silent-');
  names.asked.length = 0;
  await attacked[0]?.happen({});
  const silentAsked = (asked = names.asked) =>
    new Set(
      asked.filter((question) => question.includes('silent-')).map((question) => question.split(' ')[1]),
    );
  await expect.poll(() => silentAsked().size).toBeGreaterThanOrEqual(10);
  await victim.happen(...Array.from({ length: PUSHES }, (_, n) => ({ entity: `ord_${n}` })));
  await world.receiver.expectPushes(PUSHES, '/named');
  // In turn: not after all the names that were waiting before.
  const before = names.asked.slice(0, names.asked.indexOf(`A ${VICTIM}`));
  expect(silentAsked(before).size).toBeLessThan(WEBHOOKS);
});
