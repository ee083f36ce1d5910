import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/index.js';
import { createUser } from '../../src/people/index.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import {
  newOrganization,
  newSession,
  openTestDatabase,
  runCommand,
  startApi,
  startWorker,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../harness/index.js';
import { newClient, sendAs, userTokens } from './oauth-world.js';
import { codeAt, newPerson, openBrowser, openMailbox, PASSWORD, tokenIn } from './people.js';

let db: TestDatabase;
let api: TestApi;
let here: TestOrganization;
let there: TestOrganization;
let mailbox: Awaited<ReturnType<typeof openMailbox>>;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database);
  [here, there] = [await newOrganization(db), await newOrganization(db)];
  mailbox = await openMailbox(db);
});
afterAll(async () => {
  await mailbox.close();
  await api.close();
  await db.close();
});

type Browser = ReturnType<typeof openBrowser>;
const OTHER_PASSWORD = 'quite another long sentence';
const asOperator = <T>(place: TestOrganization, work: (tx: Tx) => Promise<T>) =>
  transact(db.database, systemPrincipal(place.organization.orgId, 'operator@test.example'), work);

/** A person of both organizations, signed in to each. */
async function memberOfBoth(role: 'viewer' | 'admin' = 'viewer') {
  const person = await newPerson(db, here);
  const other = await asOperator(there, (tx) => createUser(tx, { email: person.email, role }));
  const signedIn = async (place: TestOrganization) => {
    const browser = openBrowser(api.url);
    const { code: organization } = place.organization;
    const body = { email: person.email, password: PASSWORD, organization };
    expect((await browser.call('POST', '/v2/session', body)).status).toBe(200);
    return browser;
  };
  return { person, other, inHere: await signedIn(here), inThere: await signedIn(there) };
}

const statusOf = async (browser: Browser) => (await browser.call('GET', '/v2/whoami')).status;
const endsSoon = (browser: Browser) =>
  expect.poll(() => statusOf(browser), { timeout: 60_000, interval: 20 }).toBe(401);
const linkTo = async (email: string, kind: string) =>
  tokenIn(
    (await mailbox.fetch()).find(({ to, text }) => to.includes(email) && text.includes(`#${kind}_`))?.text ??
      '',
  );
const sessionsOf = (userId: string) => db.sql('select 1 from sessions where user_id = $1', [userId]);

async function setUpFactor(browser: Browser): Promise<string> {
  const { data } = await browser.call<{ secret: string }>('POST', '/v2/session/totp', { password: PASSWORD });
  const code = codeAt(data.secret, db.clock.now());
  expect((await browser.call('POST', '/v2/session/totp/confirm', { code })).status).toBe(200);
  return data.secret;
}

describe('a change of the account', () => {
  it('by password ends the sessions in every organization but the one it was made in', async () => {
    const { person, other, inHere, inThere } = await memberOfBoth();
    const passwords = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    expect((await inHere.call('POST', '/v2/session/password', passwords)).status).toBe(200);
    expect(await statusOf(inHere)).toBe(200);
    await endsSoon(inThere);
    expect(await sessionsOf(other.userId), 'lists are true').toEqual([]);
    expect((await openBrowser(api.url).signIn(person.email, PASSWORD)).status).toBe(401);
  });

  it('by second factor ends them as well, and every organization asks for it', async () => {
    const { person, inHere, inThere } = await memberOfBoth();
    await setUpFactor(inHere);
    expect(await statusOf(inHere)).toBe(200);
    await endsSoon(inThere);
    for (const { organization } of [here, there]) {
      const body = { email: person.email, password: PASSWORD, organization: organization.code };
      const answer = await api.call<{ status: string }>('POST', '/v2/session', body);
      expect(answer.data.status).toBe('second_factor');
    }
  });

  it('ends sessions, links and grants by one number, also if the process dies before it removes them', async () => {
    const { person, other } = await memberOfBoth();
    const session = await newSession(db, there.organization.orgId, {
      person: { ...person, ...other },
    });
    const client = await newClient(db, there);
    const { access, refresh } = await userTokens(api, client, session);
    await api.call('POST', '/v2/password-resets', { email: person.email });
    const token = await linkTo(person.email, 'lwr');
    const whoami = (bearer: string) => api.call('GET', '/v2/whoami', undefined, bearer);
    expect((await whoami(access)).status).toBe(200);
    // As the first statement of every change does, and nothing else of it.
    await db.sql('update accounts set generation = generation + 1 where email = $1', [person.email]);
    await expect.poll(async () => (await whoami(access)).status, { timeout: 60_000, interval: 20 }).toBe(401);
    const own = await api.call('GET', '/v2/session', undefined, undefined, session.headers);
    expect(own.status).toBe(401);
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    const refreshed = await sendAs(api, client, '/oauth/token', form);
    expect([refreshed.status, refreshed.json.error]).toEqual([400, 'invalid_grant']);
    const reset = await api.call('POST', '/v2/password-resets/complete', {
      token,
      password: OTHER_PASSWORD,
    });
    expect(reset.reason).toBe('link_invalid');
  });

  it('is completed by the worker where a death left its sessions, links and grants, with the webhooks of those', async () => {
    const { person, other, inHere } = await memberOfBoth('admin');
    const { orgId } = there.organization;
    const session = await newSession(db, orgId, { person: { ...person, ...other } });
    const client = await newClient(db, there, { scopes: SCOPES });
    const { access } = await userTokens(api, client, session, { scope: SCOPES.join(' ') });
    const hook = { callbackUrl: 'https://receiver.example/', eventTypes: ['order.status_changed'] };
    const made = await api.call<{ webhookId: string }>('POST', '/v2/webhooks', hook, access);
    expect(made.status, made.text).toBe(200);
    // The link is mailed by the organization used last.
    await db.sql('update accounts set last_org_id = $2 where email = $1', [person.email, orgId]);
    await api.call('POST', '/v2/password-resets', { email: person.email });
    await linkTo(person.email, 'lwr');
    const left = async () => {
      const [row] = await db.sql<Record<string, unknown>>(
        `select (select count(*)::integer from sessions where user_id = $1) as sessions,
           (select count(*)::integer from user_tokens where user_id = $1) as links,
           (select count(*)::integer from oauth_artifacts where user_id = $1 and model = 'Grant') as grants,
           (select coalesce(disabled_reason, status) from webhook_states where webhook_id = $2) as webhook`,
        [other.userId, made.data.webhookId],
      );
      return row;
    };

    // The connection that ends the sessions there is lost before it has.
    const holder = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward' });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from sessions where org_id = $1 and user_id = $2 for update', [
      orgId,
      other.userId,
    ]);
    const passwords = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    const changing = inHere.call('POST', '/v2/session/password', passwords);
    await expect
      .poll(() => db.endWaiting({ statement: 'delete from sessions' }), { timeout: 60_000, interval: 20 })
      .toHaveLength(1);
    expect((await changing).status).toBe(200);
    await holder.end();
    expect(await left()).toEqual({ sessions: 2, links: 1, grants: 1, webhook: 'enabled' });

    const worker = await startWorker(db);
    await expect
      .poll(left, { timeout: 60_000, interval: 20 })
      .toEqual({ sessions: 0, links: 0, grants: 0, webhook: 'owner_ended' });
    await worker.stop();
    expect(worker.complaints).toEqual([]);
    const audited = await db.sql<{ action: string; actor: string }>(
      `select action, actor from audit_entries
       where org_id = $1 and action in ('client.end_grant', 'webhook.disable') and actor = $2 order by action`,
      [orgId, person.email],
    );
    expect(audited.map(({ action }) => action)).toEqual(['client.end_grant', 'webhook.disable']);
    expect(await statusOf(inHere), 'what began after the change goes on').toBe(200);
  });

  it('by mail ends them too; the link is of the organization used last', async () => {
    const { person, inHere, inThere } = await memberOfBoth();
    await api.call('POST', '/v2/password-resets', { email: person.email });
    const token = await linkTo(person.email, 'lwr');
    const browser = openBrowser(api.url);
    const body = { token, password: OTHER_PASSWORD };
    const { data } = await browser.call('POST', '/v2/password-resets/complete', body);
    expect(data).toMatchObject({ status: 'complete', organization: { code: there.organization.code } });
    await endsSoon(inHere);
    await endsSoon(inThere);
    expect(await statusOf(browser)).toBe(200);
  });
});

describe('a second factor that is lost', () => {
  const confirm = (token: string, password: string) =>
    api.call('POST', '/v2/second-factor-resets/confirm', { token, password });
  async function lostFactor() {
    const both = await memberOfBoth();
    await setUpFactor(both.inHere);
    const admin = await newSession(db, there.organization.orgId);
    const path = `/v2/settings/users/${both.other.userId}/reset-second-factor`;
    const asked = await api.call<{ secondFactor: boolean }>('POST', path, {}, undefined, admin.headers);
    expect(asked.status, asked.text).toBe(200);
    return { ...both, asked, token: await linkTo(both.person.email, 'lwf') };
  }
  const stateOf = async (email: string) => (await openBrowser(api.url).signIn(email, PASSWORD)).data.status;

  it('is removed by the person with a mailed link and the password; every session ends', async () => {
    const { person, inHere, asked, token } = await lostFactor();
    expect(asked.data.secondFactor, 'an administrator removes nothing').toBe(true);
    expect(await stateOf(person.email)).toBe('second_factor');
    expect(await statusOf(inHere), 'other organizations are not touched').toBe(200);
    const wrong = await confirm(token, OTHER_PASSWORD);
    expect([wrong.status, wrong.reason]).toEqual([400, 'password_wrong']);
    expect((await confirm(token, PASSWORD)).status).toBe(200);
    await endsSoon(inHere);
    expect(await stateOf(person.email)).toBe('complete');
    expect((await confirm(token, PASSWORD)).reason).toBe('link_invalid');
    const subjects = (await mailbox.fetch()).filter(({ to }) => to.includes(person.email));
    expect(subjects.map(({ subject }) => subject)).toContain('Lotward: your second factor was removed');
  });

  it('is not removed after a day, nor with a link of another kind, nor by guessing', async () => {
    const { person, token } = await lostFactor();
    for (let i = 0; i < 6; i++) expect((await confirm(token, `no ${i}`)).reason).toBe('password_wrong');
    expect(await confirm(token, PASSWORD)).toMatchObject({ status: 429, reason: 'sign_in_delayed' });
    await api.call('POST', '/v2/password-resets', { email: person.email });
    const reset = await linkTo(person.email, 'lwr');
    expect((await confirm(reset, PASSWORD)).reason).toBe('link_invalid');
    expect((await confirm('', PASSWORD)).reason).toBe('link_invalid');
    db.clock.advance(24 * 3_600_000 + 1);
    expect((await confirm(token, PASSWORD)).reason).toBe('link_invalid');
  });

  it('is reset at once by the operator', async () => {
    const { person, inHere } = await lostFactor();
    const { code } = here.organization;
    const options = ['--org', code, '--email', person.email];
    expect((await runCommand(db, 'user', 'reset-second-factor', ...options)).exitCode).toBe(0);
    await endsSoon(inHere);
    expect(await stateOf(person.email)).toBe('complete');
    const again = await runCommand(db, 'user', 'reset-second-factor', ...options);
    expect(again).toMatchObject({ exitCode: 1 });
    expect(again.err).toContain('there is no second factor');
  });
});

it('the operator makes a person of another organization a member, and never touches their password', async () => {
  const person = await newPerson(db, here);
  const options = ['--org', there.organization.code, '--email', person.email, '--role', 'sales'];
  const refused = await runCommand(db, 'user', 'create', ...options, '--password', OTHER_PASSWORD);
  expect(refused).toMatchObject({ exitCode: 1, out: '' });
  expect(refused.err).toContain('already has an account with a password of their own');
  expect(await db.sql('select 1 from users where email = $1', [person.email])).toHaveLength(1);
  expect((await runCommand(db, 'user', 'create', ...options)).exitCode).toBe(0);
  const browser = openBrowser(api.url);
  expect((await browser.signIn(person.email, PASSWORD)).status).toBe(200);
  const { data } = await browser.call<{ organizations: object[] }>('GET', '/v2/session');
  expect(data.organizations).toHaveLength(2);
});
