import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeAt, enter, newPerson, openBrowser, openMailbox, PASSWORD } from '../../../test/access/people.js';
import {
  newOrganization,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../../../test/harness/index.js';
import { type Tx, transact } from '../../platform/database/index.js';
import { systemPrincipal } from '../../platform/principal.js';
import { removeExpiredSignIns, resetSecondFactor } from '../index.js';
import { changeRole, removeUser } from '../manage-users.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let db: TestDatabase;
let org: TestOrganization;
/** The clock of the credential cache; entries expire only when it advances. */
let ms = 0;
let api: TestApi;
beforeAll(async () => {
  db = await openTestDatabase();
  org = await newOrganization(db);
  api = await startApi(db.database, { monotonicMs: () => ms });
});
afterAll(async () => {
  await api.close();
  await db.close();
});
/** Expires every cached principal between tests. */
afterEach(() => {
  ms += 1_000;
});

const asOperator = <T>(work: (tx: Tx) => Promise<T>, of = org) =>
  transact(db.database, systemPrincipal(of.organization.orgId, 'operator@test.example'), work);
const statusOf = async (browser: ReturnType<typeof openBrowser>) => {
  ms += 1_000;
  return (await browser.call('GET', '/v2/whoami')).status;
};
async function signedIn(role: Parameters<typeof newPerson>[2] = 'viewer') {
  const person = await newPerson(db, org, role);
  const browser = openBrowser(api.url);
  const factor = await enter(browser, person, db.clock.now);
  return { person, browser, ...factor };
}

describe('the cookie of a session', () => {
  it('is out of reach of scripts and other sites, and under TLS for this very host only', async () => {
    const person = await newPerson(db, org);
    const plain = openBrowser(api.url);
    await plain.signIn(person.email, PASSWORD);
    expect(plain.setCookies).toEqual([
      expect.stringMatching(/^lotward_session=lws_[^;]+; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^lotward_device=v2\.[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/),
    ]);
    const proxied = await startApi(db.database, { trustedProxies: ['127.0.0.1'] });
    const secure = openBrowser(proxied.url);
    const body = { email: person.email, password: PASSWORD };
    await secure.call('POST', '/v2/session', body, { 'x-forwarded-proto': 'https' });
    expect(secure.setCookies).toEqual([
      expect.stringMatching(/^__Host-lotward_session=lws_[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
      expect.stringMatching(
        /^__Host-lotward_device=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
      ),
    ]);
    await secure.call('DELETE', '/v2/session', undefined, { 'x-forwarded-proto': 'https' });
    expect(secure.setCookies).toEqual([
      '__Host-lotward_session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
    ]);
    await proxied.close();
  });

  it('is never one that was set before sign-in, whose session ends', async () => {
    const person = await newPerson(db, org, 'quality');
    const mallory = await signedIn();
    const browser = openBrowser(api.url);
    browser.cookies.set('lotward_session', mallory.browser.cookies.get('lotward_session') ?? '');
    await browser.signIn(person.email, PASSWORD);
    expect(browser.cookies.get('lotward_session')).not.toBe(mallory.browser.cookies.get('lotward_session'));
    expect(await statusOf(browser)).toBe(200);
    expect(await statusOf(mallory.browser)).toBe(401);
  });

  it('is replaced with every change of its privileges; the old one is refused', async () => {
    const { person, browser, secret } = await signedIn('admin');
    db.clock.advance(MINUTE);
    const other = openBrowser(api.url);
    await other.signIn(person.email, PASSWORD);
    const before = new Map(other.cookies);
    await other.call('POST', '/v2/session/second-factor', { code: codeAt(secret ?? '', db.clock.now()) });
    expect(await statusOf(other)).toBe(200);
    expect(await statusOf(openBrowser(api.url, before))).toBe(401);
    const kept = new Map(browser.cookies);
    const next = { currentPassword: PASSWORD, newPassword: 'nine kites over the harbour' };
    expect((await browser.call('POST', '/v2/session/password', next)).status).toBe(200);
    expect(await statusOf(browser)).toBe(200);
    expect(await statusOf(openBrowser(api.url, kept))).toBe(401);
    expect(await statusOf(other), 'all other sessions end').toBe(401);
  });
});

describe('a session', () => {
  it('changes nothing without its CSRF token', async () => {
    const { browser } = await signedIn();
    const forged = openBrowser(api.url, browser.cookies);
    const refused = { status: 403, code: 1003, reason: 'cross_site_request' };
    expect(await forged.call('DELETE', '/v2/sessions')).toMatchObject(refused);
    expect(await forged.call('PATCH', '/v2/session', { dailyDigest: true })).toMatchObject(refused);
    expect(await forged.call('DELETE', '/v2/session')).toMatchObject(refused);
    expect(await browser.call('DELETE', '/v2/sessions', undefined, { 'x-csrf-token': 'x' })).toMatchObject(
      refused,
    );
    const site = { 'sec-fetch-site': 'cross-site' };
    expect(await browser.call('DELETE', '/v2/sessions', undefined, site)).toMatchObject(refused);
    expect((await browser.call('DELETE', '/v2/sessions')).status).toBe(200);
  });

  it('ends after an idle hour', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    db.clock.advance(HOUR);
    expect(await statusOf(one.browser)).toBe(200);
    db.clock.advance(1);
    expect(await statusOf(other.browser)).toBe(401);
  });

  it('ends after twelve hours, however much it is used, and is then removed', async () => {
    const { browser, person } = await signedIn();
    for (let hours = 0; hours < 12; hours++) {
      expect(await statusOf(browser), `after ${hours} hours`).toBe(200);
      db.clock.advance(HOUR);
      // As the process writes down now and then.
      await db.sql('update sessions set last_seen_at = $1 where user_id = $2', [
        db.clock.now(),
        person.userId,
      ]);
    }
    expect(await statusOf(browser)).toBe(200);
    db.clock.advance(1);
    expect(await statusOf(browser)).toBe(401);
    expect(await removeExpiredSignIns(db.database)).toBeGreaterThan(0);
    expect(await db.sql('select 1 from sessions where user_id = $1', [person.userId])).toEqual([]);
  });

  it('that is unfinished ends after ten minutes', async () => {
    const person = await newPerson(db, org, 'admin');
    const browser = openBrowser(api.url);
    expect((await browser.signIn(person.email, PASSWORD)).data.status).toBe('enrolment');
    db.clock.advance(10 * MINUTE);
    ms += 1_000;
    expect((await browser.call('GET', '/v2/session')).status).toBe(200);
    db.clock.advance(1);
    ms += 1_000;
    expect((await browser.call('GET', '/v2/session')).status).toBe(401);
  });

  it.each([
    ['removed', (userId: string) => asOperator((tx) => removeUser(tx, userId))],
    ['given another role', (userId: string) => asOperator((tx) => changeRole(tx, userId, 'sales'))],
  ])('of a person who is %s ends on every process within a second', async (_what, change) => {
    const { browser, person } = await signedIn('quality');
    const elsewhere = await startApi(await db.another(), { monotonicMs: () => ms });
    const there = openBrowser(elsewhere.url, browser.cookies);
    expect((await there.call('GET', '/v2/whoami')).status).toBe(200);
    await change(person.userId);
    ms += 1_000;
    for (const each of [browser, there])
      expect(await each.call('GET', '/v2/whoami')).toMatchObject({
        status: 401,
        reason: 'credential_invalid',
      });
    await elsewhere.close();
  });

  it('of another user can be neither seen nor ended', async () => {
    const [ada, bob] = [await signedIn(), await signedIn()];
    const foreign = await newOrganization(db);
    const carol = openBrowser(api.url);
    await enter(carol, await newPerson(db, foreign), db.clock.now);
    type Listed = { items: { sessionId: string }[] };
    const [own] = (await bob.browser.call<Listed>('GET', '/v2/sessions')).data.items;
    const [foreigns] = (await carol.call<Listed>('GET', '/v2/sessions')).data.items;
    for (const id of [own?.sessionId, foreigns?.sessionId, 'ses_01k00000000000000000000000'])
      expect(await ada.browser.call('DELETE', `/v2/sessions/${id}`)).toMatchObject({
        status: 404,
        code: 1004,
      });
    expect((await ada.browser.call<Listed>('GET', '/v2/sessions')).data.items).toHaveLength(1);
    expect(await statusOf(bob.browser)).toBe(200);
    expect(await statusOf(carol)).toBe(200);
  });

  it('is for people: neither a key nor an anonymous request has one', async () => {
    for (const [method, path, body] of [
      ['GET', '/v2/session'],
      ['DELETE', '/v2/session'],
      ['GET', '/v2/sessions'],
      ['DELETE', '/v2/sessions'],
      ['POST', '/v2/session/second-factor', { code: '123456' }],
      ['POST', '/v2/session/totp', {}],
      ['POST', '/v2/session/password', { currentPassword: 'x', newPassword: 'y' }],
    ] as const) {
      expect(await api.call(method, path, body, org.key)).toMatchObject({
        status: 403,
        reason: 'console_only',
      });
      expect(await api.call(method, path, body)).toMatchObject({ status: 401, reason: 'credential_missing' });
    }
  });
});

describe('a second factor', () => {
  const give = (browser: ReturnType<typeof openBrowser>, code: string) =>
    browser.call('POST', '/v2/session/second-factor', { code });

  it('accepts the code of the current, previous and next step, each once and none older than the last', async () => {
    const { person, secret } = await signedIn('admin');
    const at = (steps: number) => codeAt(secret ?? '', new Date(db.clock.now().getTime() + steps * 30_000));
    const tries = async (steps: number) => {
      const browser = openBrowser(api.url);
      await browser.signIn(person.email, PASSWORD);
      return (await give(browser, at(steps))).status;
    };
    expect(await tries(0), 'the one it was set up with').toBe(401);
    db.clock.advance(5 * MINUTE);
    expect(await tries(-2)).toBe(401);
    expect(await tries(2)).toBe(401);
    expect(await tries(-1)).toBe(200);
    expect(await tries(-1), 'again').toBe(401);
    expect(await tries(1)).toBe(200);
    expect(await tries(0), 'an older one than the last').toBe(401);
  });

  it('admits one of two that send the same code at once', async () => {
    const { person, secret } = await signedIn('admin');
    db.clock.advance(MINUTE);
    const code = codeAt(secret ?? '', db.clock.now());
    const answers = await Promise.all(
      [1, 2].map(async () => {
        const browser = openBrowser(api.url);
        await browser.signIn(person.email, PASSWORD);
        return give(browser, code);
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('cannot be guessed: after five wrong codes each next one waits, in every session', async () => {
    const { person, secret } = await signedIn('admin');
    db.clock.advance(MINUTE);
    for (let i = 0; i < 6; i++) {
      const browser = openBrowser(api.url);
      await browser.signIn(person.email, PASSWORD);
      expect((await give(browser, '000000')).status).toBe(401);
    }
    const browser = openBrowser(api.url);
    await browser.signIn(person.email, PASSWORD);
    const delayed = await give(browser, codeAt(secret ?? '', db.clock.now()));
    expect(delayed).toMatchObject({ status: 429, reason: 'sign_in_delayed' });
    db.clock.advance(1_000);
    expect((await give(browser, codeAt(secret ?? '', db.clock.now()))).status).toBe(200);
  });

  it('is optional for other roles: set up with the password, replaced without a gap, and removed', async () => {
    const { person, browser } = await signedIn();
    const password = PASSWORD;
    const wrong = await browser.call('POST', '/v2/session/totp', { password: 'no' });
    expect(wrong).toMatchObject({ status: 400, reason: 'password_wrong' });
    expect((await browser.call('POST', '/v2/session/totp', {})).reason).toBe('password_wrong');
    const recoveryFirst = await browser.call('POST', '/v2/session/recovery-codes', { password });
    expect(recoveryFirst.reason).toBe('no_second_factor');
    const setUp = async () => {
      const { data } = await browser.call<{ secret: string }>('POST', '/v2/session/totp', { password });
      return data.secret;
    };
    const confirm = (secret: string) =>
      browser.call('POST', '/v2/session/totp/confirm', { code: codeAt(secret, db.clock.now()) });
    const first = await setUp();
    expect((await confirm(first)).status).toBe(200);
    const second = await setUp();
    db.clock.advance(MINUTE);
    const other = openBrowser(api.url);
    await other.signIn(person.email, PASSWORD);
    expect((await give(other, codeAt(second, db.clock.now()))).status, 'not confirmed yet').toBe(401);
    expect((await give(other, codeAt(first, db.clock.now()))).status).toBe(200);
    expect((await confirm(second)).status).toBe(200);
    const renewed = await browser.call('POST', '/v2/session/recovery-codes', { password });
    expect(renewed.data.recoveryCodes).toHaveLength(10);
    expect((await browser.call('DELETE', '/v2/session/totp', { password })).status).toBe(200);
    expect((await browser.call('GET', '/v2/session')).data.secondFactor).toBe(false);
    expect((await openBrowser(api.url).signIn(person.email, PASSWORD)).data.status).toBe('complete');
    expect(await db.sql('select 1 from account_recovery_codes where email = $1', [person.email])).toEqual([]);
  });

  it('cannot be removed by administrators, nor bypassed by setting up another one', async () => {
    const { person, browser } = await signedIn('admin');
    const refused = await browser.call('DELETE', '/v2/session/totp', { password: PASSWORD });
    expect(refused).toMatchObject({ status: 400, reason: 'second_factor_required' });
    const other = openBrowser(api.url);
    await other.signIn(person.email, PASSWORD);
    for (const [path, body] of [
      ['/v2/session/totp', { password: PASSWORD }],
      ['/v2/session/totp/confirm', { code: '123456' }],
    ] as const)
      expect(await other.call('POST', path, body)).toMatchObject({
        status: 400,
        reason: 'second_factor_not_due',
      });
  });

  it('that was lost is reset by the operator; the user is notified and sets up a new one', async () => {
    const mailbox = await openMailbox(db);
    const { person, browser } = await signedIn('admin');
    await mailbox.fetch();
    await asOperator((tx) => resetSecondFactor(tx, person.email));
    expect(await statusOf(browser)).toBe(401);
    expect((await openBrowser(api.url).signIn(person.email, PASSWORD)).data.status).toBe('enrolment');
    const [mail] = await mailbox.fetch();
    expect(mail).toMatchObject({ to: [person.email], subject: 'Lotward: your second factor was removed' });
    await mailbox.close();
  });

  it('slows down guesses at the password from an open session', async () => {
    const { browser } = await signedIn();
    for (let i = 0; i < 6; i++) await browser.call('POST', '/v2/session/totp', { password: `no ${i}` });
    const delayed = await browser.call('POST', '/v2/session/totp', { password: PASSWORD });
    expect(delayed).toMatchObject({ status: 429, reason: 'sign_in_delayed' });
  });
});
