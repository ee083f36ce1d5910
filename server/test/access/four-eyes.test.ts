import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/credentials/index.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { newSession, type TestSession } from '../harness/index.js';
import { openFlow, type World } from '../journeys/flow-world.js';
import { clientToken, type TestClient } from './oauth-world.js';
import { codeAt, enter, newPerson, openBrowser } from './people.js';

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(() => world.close());

const orgId = () => world.org.organization.orgId;
const signedIn = (role: 'admin' | 'warehouse' = 'admin') => newSession(world.db, orgId(), { role });
const as = <D = object>(
  { headers }: Pick<TestSession, 'headers'>,
  method: string,
  path: string,
  body?: object,
) => world.api.call<D>(method, path, body, undefined, headers);

const GOODS = ['orders:read', 'dispatches:read', 'dispatches:write'];

/** A dispatch that this person picked at the console. */
async function pickedBy(picker: TestSession): Promise<string> {
  const productCode = await world.newProduct();
  await world.receive({ productCode, batchNo: 'B1', expiryDate: '2030-01-01' });
  const { orderId } = await world.approved({ productCode, quantity: 1 });
  const { dispatchId } = await world.open(orderId);
  const picks = world.withLine([{ batchNo: 'B1', quantity: 1 }]);
  const picked = await as(picker, 'POST', `/v2/dispatches/${dispatchId}/picks`, { picks });
  expect(picked.status, picked.text).toBe(200);
  return dispatchId;
}

const recheck = (dispatchId: string, token: string) =>
  world.api.call<{ recheckedBy: string }>(
    'POST',
    `/v2/dispatches/${dispatchId}/recheck`,
    { result: 'pass' },
    token,
  );

interface ShownKey {
  keyId: string;
  apiKey: string;
  ownerConfirmed: boolean;
}
interface OwnCredential {
  type: string;
  credentialId: string;
  name: string;
  createdBy: string;
  ownerConfirmed: boolean;
}

describe('one person cannot pick and re-check as two', () => {
  it('with a key that they made in the name of another, until the other confirms it', async () => {
    const [admin, owner] = [await signedIn(), await signedIn('warehouse')];
    const dispatchId = await pickedBy(admin);
    const { data: key } = await as<ShownKey>(admin, 'POST', '/v2/settings/keys', {
      name: 'scanner',
      scopes: GOODS,
      owner: owner.email,
    });
    expect(key.ownerConfirmed).toBe(false);
    expect(await recheck(dispatchId, key.apiKey)).toMatchObject({ status: 400, reason: 'same_person' });
    const whoami = await world.api.call('GET', '/v2/whoami', undefined, key.apiKey);
    expect(whoami.data).toMatchObject({ actor: admin.email });

    const mine = await as<{ items: OwnCredential[] }>(owner, 'GET', '/v2/session/credentials');
    expect(mine.data.items).toMatchObject([
      { type: 'key', credentialId: key.keyId, createdBy: admin.email, ownerConfirmed: false },
    ]);
    const path = `/v2/session/credentials/${key.keyId}/confirm`;
    // Neither the creator nor a third person can speak for the owner.
    for (const other of [admin, await signedIn('warehouse')])
      expect((await as(other, 'POST', path, {})).status).toBe(404);
    expect((await as<OwnCredential>(owner, 'POST', path, {})).data).toMatchObject({ ownerConfirmed: true });
    await expect
      .poll(async () => (await recheck(dispatchId, key.apiKey)).status, { timeout: 60_000, interval: 50 })
      .toBe(200);
    // Picks of before the confirmation stay their creator's; confirming again changes nothing.
    expect((await as(owner, 'POST', path, {})).status).toBe(200);
  });

  it('with an OAuth client that they made in the name of another', async () => {
    const [admin, owner] = [await signedIn(), await signedIn('warehouse')];
    const dispatchId = await pickedBy(admin);
    const { data: client } = await as<TestClient>(admin, 'POST', '/v2/settings/clients', {
      name: 'scanner',
      scopes: GOODS,
      owner: owner.email,
    });
    const token = await clientToken(world.api, client);
    expect(await recheck(dispatchId, token)).toMatchObject({ status: 400, reason: 'same_person' });
    await as(owner, 'POST', `/v2/session/credentials/${client.clientId}/confirm`, {});
    await expect
      .poll(async () => (await recheck(dispatchId, token)).status, { timeout: 60_000, interval: 50 })
      .toBe(200);
  });

  it('with two keys, of which one names nobody of the organization', async () => {
    const admin = await signedIn();
    const dispatchId = await pickedBy(admin);
    const { data: key } = await as<ShownKey>(admin, 'POST', '/v2/settings/keys', {
      name: 'scanner',
      scopes: GOODS,
      owner: 'nobody-here@elsewhere.example',
    });
    expect(await recheck(dispatchId, key.apiKey)).toMatchObject({ status: 400, reason: 'same_person' });
  });

  it('the operator vouches for the owner that a key of the command line names', async () => {
    const admin = await signedIn();
    const dispatchId = await pickedBy(admin);
    const { apiKey } = await transact(world.db.database, systemPrincipal(orgId(), admin.email), (tx) =>
      createKey(tx, { name: 'cli', scopes: GOODS, owner: 'second@elsewhere.example' }),
    );
    expect((await recheck(dispatchId, apiKey)).data).toMatchObject({
      recheckedBy: 'second@elsewhere.example',
    });
  });
});

describe('a fresh second factor is needed', () => {
  const body = { name: 'erp', scopes: ['products:read'] };
  const requests: Record<string, () => Promise<[method: string, path: string, body: object]>> = {
    'to create a key': async () => ['POST', '/v2/settings/keys', body],
    'to create an OAuth client': async () => ['POST', '/v2/settings/clients', body],
    'to rotate a key': async () => [
      'POST',
      `/v2/settings/keys/${(await world.org.newKey()).keyId}/rotate`,
      { overlapSeconds: 0 },
    ],
    'to change a key': async () => [
      'PATCH',
      `/v2/settings/keys/${(await world.org.newKey()).keyId}`,
      { allowList: [] },
    ],
    'to let one person pick and re-check': async () => ['PATCH', '/v2/settings', { samePersonRecheck: true }],
  };
  it.each(Object.entries(requests))('%s', async (_what, requestOf) => {
    const [method, path, sent] = await requestOf();
    const old = await newSession(world.db, orgId(), {
      secondFactorAt: new Date(world.db.clock.now().getTime() - 5 * 60_000 - 1),
    });
    expect(await as(old, method, path, sent)).toMatchObject({ status: 403, reason: 'step_up_required' });
    const never = await newSession(world.db, orgId(), { secondFactorAt: null });
    expect(await as(never, method, path, sent)).toMatchObject({ status: 403, reason: 'step_up_required' });
    const fresh = await as(await signedIn(), method, path, sent);
    expect(fresh.status, fresh.text).toBe(200);
    if (path === '/v2/settings') await as(await signedIn(), method, path, { samePersonRecheck: false });
  });

  it('four eyes are not switched off by a key; other settings are changed as before', async () => {
    const change = (settings: object) => world.api.call('PATCH', '/v2/settings', settings, world.org.key);
    expect(await change({ samePersonRecheck: true })).toMatchObject({ status: 403, reason: 'console_only' });
    expect((await change({ samePersonRecheck: false, certificateGate: 'warn' })).status).toBe(200);
    const old = await newSession(world.db, orgId(), { secondFactorAt: null });
    expect((await as(old, 'PATCH', '/v2/settings', { certificateGate: 'warn' })).status).toBe(200);
  });

  it('and is given by a step-up, under a new token', async () => {
    const person = await newPerson(world.db, world.org, 'admin');
    const browser = openBrowser(world.api.url);
    const { secret } = await enter(browser, person, () => world.db.clock.now());
    world.db.clock.advance(5 * 60_000 + 1);
    const create = () => browser.call('POST', '/v2/settings/keys', body);
    expect(await create()).toMatchObject({ status: 403, reason: 'step_up_required' });
    const before = browser.cookies.get('lotward_session');
    const wrong = await browser.call('POST', '/v2/session/step-up', { code: '000000' });
    expect(wrong).toMatchObject({ status: 401, reason: 'code_refused' });
    world.db.clock.advance(30_000);
    const code = codeAt(secret ?? '', world.db.clock.now());
    const stepped = await browser.call('POST', '/v2/session/step-up', { code });
    expect(stepped.status, stepped.text).toBe(200);
    expect(browser.cookies.get('lotward_session')).not.toBe(before);
    expect((await create()).status).toBe(200);
    expect(await browser.call('POST', '/v2/session/step-up', { code })).toMatchObject({ status: 401 });
    world.db.clock.advance(5 * 60_000 + 1);
    expect(await create()).toMatchObject({ status: 403, reason: 'step_up_required' });
  });

  it('of somebody who has none, who sets one up first', async () => {
    const person = await newPerson(world.db, world.org, 'warehouse');
    const browser = openBrowser(world.api.url);
    await enter(browser, person, () => world.db.clock.now());
    const answer = await browser.call('POST', '/v2/session/step-up', { code: '123456' });
    expect(answer).toMatchObject({ status: 400, reason: 'no_second_factor' });
  });
});
