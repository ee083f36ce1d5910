import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSession, openTestService, startApi, type TestApi } from '../harness/index.js';
import { newClient, sendAs, type TestClient, userTokens } from './oauth-world.js';
import {
  type Browser,
  codeAt,
  enter,
  newPerson,
  openBrowser,
  openMailbox,
  PASSWORD,
  tokenIn,
} from './people.js';

let service: Awaited<ReturnType<typeof openTestService>>;
/** The same database, as another process has it. */
let elsewhere: TestApi;
let mailbox: Awaited<ReturnType<typeof openMailbox>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  elsewhere = await startApi(await service.db.another());
  mailbox = await openMailbox(service.db);
});
afterAll(async () => {
  await mailbox.close();
  await elsewhere.close();
  await service.close();
});

type Role = Parameters<typeof newPerson>[2];
const now = () => service.db.clock.now();
const orgId = () => service.org.organization.orgId;
const administrator = () => newSession(service.db, orgId());
const as = <D = object>(headers: Record<string, string>, method: string, path: string, body?: object) =>
  service.api.call<D>(method, path, body, undefined, headers);

const soon = { timeout: 60_000, interval: 20 };
const statusOf =
  (token: string, api = service.api) =>
  async () =>
    (await api.call('GET', '/v2/whoami', undefined, token)).status;
/** Within a second in each process; more only where the machine is busy. */
async function isRefusedEverywhere(token: string): Promise<void> {
  for (const api of [service.api, elsewhere]) await expect.poll(statusOf(token, api), soon).toBe(401);
}

interface Somebody {
  person: Awaited<ReturnType<typeof newPerson>>;
  browser: Browser;
}

async function signedIn(role: Role = 'warehouse'): Promise<Somebody> {
  const person = await newPerson(service.db, service.org, role);
  const browser = openBrowser(service.api.url);
  await enter(browser, person, now);
  // No code works twice.
  service.db.clock.advance(30_000);
  return { person, browser };
}

async function withFactor(): Promise<Somebody> {
  const somebody = await signedIn();
  await setUpFactor(somebody);
  return somebody;
}

async function setUpFactor({ browser }: Somebody): Promise<void> {
  const { data } = await browser.call<{ secret: string }>('POST', '/v2/session/totp', { password: PASSWORD });
  const done = await browser.call('POST', '/v2/session/totp/confirm', { code: codeAt(data.secret, now()) });
  expect(done.status, done.text).toBe(200);
  service.db.clock.advance(30_000);
}

async function grantedBy({ browser }: Somebody, client: TestClient) {
  const cookie = `lotward_session=${browser.cookies.get('lotward_session')}`;
  return userTokens(service.api, client, { headers: { cookie, 'x-csrf-token': browser.csrf ?? '' } });
}

const refresh = (client: TestClient, refreshToken: string) =>
  sendAs(service.api, client, '/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken });

describe('what a person allowed an app ends', () => {
  const endings: Record<string, { begin: () => Promise<Somebody>; end: (of: Somebody) => Promise<unknown> }> =
    {
      'with a change of the password': {
        begin: () => signedIn(),
        end: ({ browser }) =>
          browser.call('POST', '/v2/session/password', {
            currentPassword: PASSWORD,
            newPassword: 'eight trams under the bridge',
          }),
      },
      'with a reset of the password by mail': {
        begin: () => signedIn(),
        async end({ person }) {
          const visitor = openBrowser(service.api.url);
          await visitor.call('POST', '/v2/password-resets', { email: person.email });
          const token = tokenIn(
            (await mailbox.fetch()).find(({ to }) => to.includes(person.email))?.text ?? '',
          );
          return visitor.call('POST', '/v2/password-resets/complete', {
            token,
            password: 'eight trams under the bridge',
          });
        },
      },
      'with a new second factor': { begin: () => signedIn(), end: (of) => setUpFactor(of) },
      'with the removal of the second factor': {
        begin: withFactor,
        end: ({ browser }) => browser.call('DELETE', '/v2/session/totp', { password: PASSWORD }),
      },
      'with a reset of the second factor that an administrator began': {
        begin: withFactor,
        async end({ person }) {
          const { headers } = await administrator();
          await as(headers, 'POST', `/v2/settings/users/${person.userId}/reset-second-factor`, {});
          const mails = (await mailbox.fetch()).filter(({ to }) => to.includes(person.email));
          const token = tokenIn(mails.find(({ text }) => text.includes('#lwf_'))?.text ?? '');
          const body = { token, password: PASSWORD };
          return openBrowser(service.api.url).call('POST', '/v2/second-factor-resets/confirm', body);
        },
      },
      'with the removal of the person, also when they are invited again': {
        begin: () => signedIn(),
        async end({ person }) {
          const { headers } = await administrator();
          await as(headers, 'DELETE', `/v2/settings/users/${person.userId}`);
          await as(headers, 'POST', '/v2/settings/users', { email: person.email, role: 'warehouse' });
          const token = tokenIn(
            (await mailbox.fetch()).find(({ to }) => to.includes(person.email))?.text ?? '',
          );
          return openBrowser(service.api.url).call('POST', '/v2/invitations/accept', {
            token,
            password: PASSWORD,
          });
        },
      },
    };
  it.each(Object.entries(endings))('%s', async (_how, { begin, end }) => {
    const client = await newClient(service.db, service.org);
    const [somebody, other] = [await begin(), await signedIn()];
    const [tokens, others] = [await grantedBy(somebody, client), await grantedBy(other, client)];
    for (const api of [service.api, elsewhere]) expect(await statusOf(tokens.access, api)()).toBe(200);
    const ended = (await end(somebody)) as { status?: number } | undefined;
    expect(ended?.status ?? 200).toBe(200);
    await isRefusedEverywhere(tokens.access);
    expect((await refresh(client, tokens.refresh)).json.error).toBe('invalid_grant');
    // Nobody else's.
    expect(await statusOf(others.access)()).toBe(200);
    expect((await refresh(client, others.refresh)).status).toBe(200);
    const entries = await service.call<{ items: { action: string; after: { userId?: string } }[] }>(
      'GET',
      '/v2/audit?action=client.end_grant',
    );
    expect(entries.data.items.some(({ after }) => after.userId === somebody.person.userId)).toBe(true);
  });
});

interface ShownKey {
  keyId: string;
  apiKey: string;
  status: string;
  disabledReason: string | null;
  belongsTo: string | null;
  owner: string;
  createdBy: string;
}

describe('keys and clients of a person who was removed', () => {
  const made = { name: 'erp of a leaver', scopes: ['products:read'] };

  it('are refused until an administrator adopts them', async () => {
    const [leaver, stays] = [await administrator(), await administrator()];
    const key = (await as<ShownKey>(leaver.headers, 'POST', '/v2/settings/keys', made)).data;
    expect(key).toMatchObject({ belongsTo: leaver.email, createdBy: leaver.email, disabledReason: null });
    const client = (await as<TestClient>(leaver.headers, 'POST', '/v2/settings/clients', made)).data;
    const ofOrganization = await service.org.newKey({ owner: leaver.email });
    const tokenOf = async () => {
      const { status, json } = await sendAs(service.api, client, '/oauth/token', {
        grant_type: 'client_credentials',
      });
      return { status, token: json.access_token };
    };
    const { token } = await tokenOf();
    for (const each of [key.apiKey, token]) expect(await statusOf(each)()).toBe(200);
    await mailbox.fetch();
    const removed = await as(stays.headers, 'DELETE', `/v2/settings/users/${leaver.userId}`);
    expect(removed.status, removed.text).toBe(200);
    await isRefusedEverywhere(key.apiKey);
    await isRefusedEverywhere(token);
    expect((await tokenOf()).status).toBe(401);
    expect(await statusOf(ofOrganization.apiKey)()).toBe(200);

    const mail = (await mailbox.fetch()).find(({ text }) => text.includes(key.keyId));
    expect(mail?.to).toContain(stays.email);
    expect(mail?.to).not.toContain(leaver.email);
    expect(mail?.text).toContain(client.clientId);

    const shown = await as<ShownKey>(stays.headers, 'GET', `/v2/settings/keys/${key.keyId}`);
    expect(shown.data).toMatchObject({ status: 'disabled', disabledReason: 'owner_ended' });
    const listed = await as<{ items: ShownKey[] }>(
      stays.headers,
      'GET',
      `/v2/settings/keys?status=disabled&belongsTo=${encodeURIComponent(leaver.email)}`,
    );
    expect(listed.data.items.map(({ keyId }) => keyId)).toEqual([key.keyId]);

    const adopted = await as<ShownKey>(stays.headers, 'POST', `/v2/settings/keys/${key.keyId}/adopt`, {});
    expect(adopted.data).toMatchObject({
      status: 'active',
      disabledReason: null,
      belongsTo: stays.email,
      owner: stays.email,
      createdBy: leaver.email,
    });
    await as(stays.headers, 'POST', `/v2/settings/clients/${client.clientId}/adopt`, {});
    for (const each of [key.apiKey, token]) await expect.poll(statusOf(each), soon).toBe(200);
    const again = await as(stays.headers, 'POST', `/v2/settings/keys/${key.keyId}/adopt`, {});
    expect(again).toMatchObject({ status: 400, reason: 'not_disabled' });
  });

  it('are theirs too when somebody else made them and they own them', async () => {
    const [admin, owner] = [
      await administrator(),
      await newSession(service.db, orgId(), { role: 'warehouse' }),
    ];
    const key = (
      await as<ShownKey>(admin.headers, 'POST', '/v2/settings/keys', { ...made, owner: owner.email })
    ).data;
    expect(await statusOf(key.apiKey)()).toBe(200);
    await as(admin.headers, 'DELETE', `/v2/settings/users/${owner.userId}`);
    await isRefusedEverywhere(key.apiKey);
  });

  it('stay revoked when they were revoked before', async () => {
    const [leaver, stays] = [await administrator(), await administrator()];
    const key = (await as<ShownKey>(leaver.headers, 'POST', '/v2/settings/keys', made)).data;
    await as(leaver.headers, 'POST', `/v2/settings/keys/${key.keyId}/revoke`, {});
    await as(stays.headers, 'DELETE', `/v2/settings/users/${leaver.userId}`);
    const adopted = await as(stays.headers, 'POST', `/v2/settings/keys/${key.keyId}/adopt`, {});
    expect(adopted).toMatchObject({ status: 400, reason: 'key_revoked' });
  });

  it('are adopted by people only, never by a key', async () => {
    const [leaver, stays] = [await administrator(), await administrator()];
    const key = (await as<ShownKey>(leaver.headers, 'POST', '/v2/settings/keys', made)).data;
    await as(stays.headers, 'DELETE', `/v2/settings/users/${leaver.userId}`);
    const byKey = await service.call('POST', `/v2/settings/keys/${key.keyId}/adopt`, {});
    expect(byKey).toMatchObject({ status: 403, reason: 'console_only' });
  });
});
