import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/index.js';
import { newSession, openTestService } from '../harness/index.js';
import { type Listening, listenTo } from '../live/listening.js';
import { bearer } from './credential-states/index.js';
import { newClient, type TestClient, userTokens } from './oauth-world.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let app: TestClient;
const open: Listening[] = [];
beforeAll(async () => {
  service = await openTestService({ alone: true });
  app = await newClient(service.db, service.org, { scopes: SCOPES });
});
afterAll(async () => {
  await Promise.all(open.map((each) => each.stop()));
  await service.close();
});

const tokenOf = async (client = app, person?: Awaited<ReturnType<typeof newSession>>) => {
  const session =
    person ?? (await newSession(service.db, service.org.organization.orgId, { role: 'warehouse' }));
  const scope = 'inventory:write inventory:read events:read orders:read';
  return (await userTokens(service.api, client, session, { scope })).access;
};

it('two people who use one app never share an Idempotency-Key', async () => {
  const body = { productCode: 'GLOVE-1', warehouse: 'WH-1', quantityDelta: 1, reason: 'found' };
  const adjust = async (token: string, reason = 'found') =>
    service.api.call<{ movementId: string }>('POST', '/v2/stock/adjustments', { ...body, reason }, token, {
      'idempotency-key': 'adjust-1',
    });
  const [first, second] = [await tokenOf(), await tokenOf()];
  const made = await adjust(first);
  expect(made.status, made.text).toBe(200);
  // Another person's request under the same key is a request of its own, the same or not.
  expect((await adjust(second)).data).not.toEqual(made.data);
  expect((await adjust(await tokenOf(), 'counted')).status).toBe(200);
  expect((await adjust(first)).data).toEqual(made.data);
  expect(await adjust(first, 'counted')).toMatchObject({ reason: 'idempotency_key_reused' });
});

it('a person who listens ten times leaves the places of others who use the same app', async () => {
  const listener = await newSession(service.db, service.org.organization.orgId, { role: 'warehouse' });
  const [first, second] = [await tokenOf(app, listener), await tokenOf()];
  for (let i = 0; i < 10; i++) open.push(await listenTo(service.api.url, bearer(first)));
  const ask = (sent: Record<string, string>) =>
    service.api.call('GET', '/stream', undefined, undefined, sent);
  expect(await ask(bearer(first))).toMatchObject({ status: 429, reason: 'too_many_streams' });
  expect((await ask(bearer(second))).status).toBe(200);
  // The same person gets no further places with another app or at the console.
  const other = await newClient(service.db, service.org, { scopes: SCOPES });
  expect(await ask(bearer(await tokenOf(other, listener)))).toMatchObject({ status: 429 });
  expect(await ask(listener.headers)).toMatchObject({ status: 429 });
});
