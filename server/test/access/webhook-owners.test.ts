import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/index.js';
import { revokeClient } from '../../src/credentials/index.js';
import { removeUser } from '../../src/people/manage-users.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { newSession, openPushWorld, type PushWorld, type TestOrganization } from '../harness/index.js';
import { clientToken, codeForm, newClient, sendAs, userTokens } from './oauth-world.js';

const DAY = 86_400_000;
const polled = { timeout: 60_000, interval: 40 };

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
});
afterAll(async () => {
  expect(world?.worker.complaints).toEqual([]);
  await world?.close();
});

const asOperator = <T>(org: TestOrganization, work: (tx: Tx) => Promise<T>) =>
  transact(world.db.database, systemPrincipal(org.organization.orgId, 'operator@test.example'), work);

/** A webhook that an OAuth client made for itself, and one that it made on behalf of a person. */
async function madeByClient() {
  const { org } = await world.subscribe();
  const { orgId } = org.organization;
  const client = await newClient(world.db, org, { name: 'Planner', scopes: SCOPES });
  const [person] = [await newSession(world.db, orgId), await newSession(world.db, orgId)];
  const tokens = await userTokens(world.api, client, person, { scope: SCOPES.join(' ') });
  const own = await world.subscribe({ org, key: await clientToken(world.api, client) });
  const onBehalf = await world.subscribe({ org, key: tokens.access });
  const statesOf = (...hooks: (typeof own)[]) =>
    Promise.all(
      hooks.map(async ({ webhookId }) => {
        const { data } = await world.api.call<{ status: string; disabledReason: string | null }>(
          'GET',
          `/v2/webhooks/${webhookId}`,
          undefined,
          org.key,
        );
        return data.disabledReason ?? data.status;
      }),
    );
  return { org, client, person, tokens, own, onBehalf, states: () => statesOf(own, onBehalf) };
}

describe('a webhook made by an OAuth client', () => {
  it('belongs to the client, with the person on whose behalf it was made', async () => {
    const { org, client, person, own, onBehalf } = await madeByClient();
    const owner = { kind: 'client', id: client.clientId, name: 'Planner' };
    expect((await own.read()).owner).toEqual({ ...owner, onBehalfOf: null });
    expect((await onBehalf.read()).owner).toEqual({ ...owner, onBehalfOf: person.email });
    const listed = async (id: string) =>
      (
        await world.api.call<{ items: { webhookId: string }[] }>(
          'GET',
          `/v2/webhooks?owner=${id}`,
          undefined,
          org.key,
        )
      ).data.items.map(({ webhookId }) => webhookId);
    expect((await listed(client.clientId)).sort()).toEqual([onBehalf.webhookId, own.webhookId].sort());
    expect(await listed(person.userId)).toEqual([onBehalf.webhookId]);
  });

  it('ends with the client, both for itself and on behalf of a person', async () => {
    const { org, client, own, onBehalf, states } = await madeByClient();
    await own.happen({});
    await Promise.all([own.expectPushes(1), onBehalf.expectPushes(1)]);
    await asOperator(org, (tx) => revokeClient(tx, client.clientId));
    expect(await states()).toEqual(['owner_ended', 'owner_ended']);
    await own.happen({});
    await world.worker.looked();
    expect([own.pushes().length, onBehalf.pushes().length]).toEqual([1, 1]);
  });

  it('ends with the person it was made for; its own goes on', async () => {
    const { org, person, own, onBehalf, states } = await madeByClient();
    await asOperator(org, (tx) => removeUser(tx, person.userId));
    expect(await states()).toEqual(['enabled', 'owner_ended']);
    await own.happen({});
    await own.expectPushes(1);
    expect(onBehalf.pushes()).toEqual([]);
  });

  it('ends with the grant when its refresh token is revoked, in the transaction that ends the grant', async () => {
    const { client, tokens, states } = await madeByClient();
    await sendAs(world.api, client, '/oauth/revoke', { token: tokens.refresh });
    expect(await states()).toEqual(['enabled', 'owner_ended']);
  });

  it('ends with the grant when its code is used twice', async () => {
    const { client, tokens, states } = await madeByClient();
    const again = await sendAs(world.api, client, '/oauth/token', codeForm(tokens.code, tokens.pkce));
    expect(again.status).toBe(400);
    expect(await states()).toEqual(['enabled', 'owner_ended']);
  });

  it('ends with the grant when it expires: nothing is sent after that', async () => {
    const { own, onBehalf, states } = await madeByClient();
    await own.happen({});
    await Promise.all([own.expectPushes(1), onBehalf.expectPushes(1)]);
    world.clock.advance(30 * DAY + 1_000);
    await own.happen({});
    await own.expectPushes(2);
    await expect.poll(states, polled).toEqual(['enabled', 'owner_ended']);
    await world.worker.looked();
    expect(onBehalf.pushes()).toHaveLength(1);
  });
});
