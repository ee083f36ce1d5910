import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inviteUser } from '../../src/people/index.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import {
  newOrganization,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../harness/index.js';
import {
  type Browser,
  codeAt,
  openBrowser,
  openMailbox,
  PASSWORD,
  type SignedInData,
  tokenIn,
} from './people.js';

const CONSOLE = 'https://lotward.example';
const NEXT_PASSWORD = 'eight barges under a bridge';
/** Before the sign-in is complete, the session names no user. */
const NOBODY = { user: null, organization: null };

let db: TestDatabase;
let api: TestApi;
let org: TestOrganization;
let mailbox: Awaited<ReturnType<typeof openMailbox>>;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database, { publicUrl: `${CONSOLE}/` });
  org = await newOrganization(db);
  mailbox = await openMailbox(db);
});
afterAll(async () => {
  await mailbox.close();
  await api.close();
  await db.close();
});

describe('an administrator, from the invitation to the sign-out', () => {
  const email = 'ada@acme.example';
  let browser: Browser;
  let invitation: string;
  let secret: string;
  let recoveryCodes: string[];

  it('is invited by a mail with a link to the console whose token is in the fragment', async () => {
    const principal = systemPrincipal(org.organization.orgId, 'operator@test.example');
    const mailing = { box: db.box, url: () => CONSOLE };
    await transact(db.database, principal, (tx) =>
      inviteUser(tx, { email: 'Ada@Acme.example', role: 'admin' }, mailing),
    );
    const [mail, ...more] = await mailbox.fetch();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: [email] });
    expect(mail?.subject).toContain(org.organization.name);
    expect(mail?.text).toMatch(/^https:\/\/lotward\.example\/invitation#lwi_[0-9a-z]{26}_[0-9A-Za-z]{32}$/m);
    invitation = tokenIn(mail?.text ?? '');
  });

  it('sees whom the invitation is for, and cannot sign in before accepting it', async () => {
    browser = openBrowser(api.url);
    const read = await browser.call('POST', '/v2/invitations/read', { token: invitation });
    expect(read.data).toEqual({
      email,
      organization: { name: org.organization.name },
      hasAccount: false,
    });
    expect(await browser.signIn(email, PASSWORD)).toMatchObject({ status: 401, reason: 'sign_in_refused' });
  });

  it('accepts it with a password, and can do nothing before setting up the second factor', async () => {
    const accepted = await browser.call('POST', '/v2/invitations/accept', {
      token: invitation,
      password: PASSWORD,
    });
    expect(accepted.data).toEqual({ status: 'enrolment', csrfToken: expect.any(String), ...NOBODY });
    expect(await browser.call('GET', '/v2/whoami')).toMatchObject({
      status: 401,
      reason: 'sign_in_unfinished',
    });
    expect(await browser.call('GET', '/v2/sessions')).toMatchObject({
      status: 401,
      reason: 'sign_in_unfinished',
    });
    expect((await browser.call('GET', '/v2/session')).data).toEqual({
      status: 'enrolment',
      csrfToken: browser.csrf,
      organizations: [],
      secondFactor: null,
      dailyDigest: null,
      preferences: null,
      ...NOBODY,
    });
  });

  it('sets it up, and is signed in with a new session token', async () => {
    const before = browser.cookies.get('lotward_session');
    const begun = await browser.call<{ secret: string; otpauthUri: string }>('POST', '/v2/session/totp');
    secret = begun.data.secret;
    expect(begun.data.otpauthUri).toMatch(/^otpauth:\/\/totp\/.*ada%40acme\.example\?/);
    const wrong = await browser.call('POST', '/v2/session/totp/confirm', { code: '000000' });
    expect(wrong).toMatchObject({ status: 401, reason: 'code_refused' });
    const done = await browser.call('POST', '/v2/session/totp/confirm', {
      code: codeAt(secret, db.clock.now()),
    });
    recoveryCodes = done.data.recoveryCodes;
    expect(done.data).toMatchObject({ status: 'complete', user: { email, role: 'admin' } });
    expect(recoveryCodes).toHaveLength(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([0-9a-z]{4}-){6}[0-9a-z]{4}$/);
    expect(browser.cookies.get('lotward_session')).not.toBe(before);
    expect(await browser.call('GET', '/v2/whoami')).toMatchObject({ status: 200, data: { actor: email } });
  });

  it('signs in with the second factor, from another browser', async () => {
    const other = openBrowser(api.url);
    const first = await other.signIn(email, PASSWORD);
    expect(first.data).toEqual({ status: 'second_factor', csrfToken: expect.any(String), ...NOBODY });
    expect(await other.call('GET', '/v2/whoami')).toMatchObject({
      status: 401,
      reason: 'sign_in_unfinished',
    });
    db.clock.advance(60_000);
    const code = codeAt(secret, db.clock.now());
    const second = await other.call('POST', '/v2/session/second-factor', { code });
    expect(second.data).toMatchObject({ status: 'complete', organization: { code: org.organization.code } });
    expect(await other.call('GET', '/v2/settings')).toMatchObject({ status: 200 });
    const mails = await mailbox.fetch();
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Lotward: your second factor was set up',
      'Lotward: a new device signed in',
    ]);
  });

  it('signs in with a recovery code, each of them once, and is notified', async () => {
    const other = openBrowser(api.url);
    await other.signIn(email, PASSWORD);
    const given = ` ${(recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' ')}`;
    expect(await other.call('POST', '/v2/session/second-factor', { recoveryCode: given })).toMatchObject({
      status: 200,
    });
    expect((await mailbox.fetch()).map(({ subject }) => subject)).toContain(
      'Lotward: a recovery code was used',
    );
    const again = openBrowser(api.url);
    await again.signIn(email, PASSWORD);
    const refused = await again.call('POST', '/v2/session/second-factor', { recoveryCode: recoveryCodes[0] });
    expect(refused).toMatchObject({ status: 401, reason: 'code_refused' });
  });

  it('sees the sessions, ends one, and then all others', async () => {
    const listed = await browser.call<{ items: { sessionId: string; current: boolean }[] }>(
      'GET',
      '/v2/sessions',
    );
    // All started at the same instant, so their order is undefined.
    expect(listed.data.items.filter(({ current }) => current)).toHaveLength(1);
    const [other, ...more] = listed.data.items.filter(({ current }) => !current);
    expect(more).toHaveLength(1);
    expect(other).toMatchObject({ address: '127.0.0.1', userAgent: 'node' });
    expect((await browser.call('DELETE', `/v2/sessions/${other?.sessionId}`)).status).toBe(200);
    expect((await browser.call('DELETE', `/v2/sessions/${other?.sessionId}`)).status).toBe(404);
    // The unfinished one too, which is not listed.
    expect((await browser.call('DELETE', '/v2/sessions')).data).toEqual({ ended: 2 });
    const left = await browser.call<{ items: object[] }>('GET', '/v2/sessions');
    expect(left.data.items).toHaveLength(1);
  });

  it('resets the password by mail, which ends every session and does not replace the second factor', async () => {
    const stranger = openBrowser(api.url);
    const asked = await stranger.call('POST', '/v2/password-resets', { email: 'ADA@acme.example' });
    expect(asked).toMatchObject({ status: 200, data: {} });
    const [mail] = await mailbox.fetch();
    expect(mail).toMatchObject({ to: [email], subject: 'Choose a new password for Lotward' });
    expect(mail?.text).toMatch(/^https:\/\/lotward\.example\/password-reset#lwr_/m);
    const reset = { token: tokenIn(mail?.text ?? ''), password: NEXT_PASSWORD };
    const done = await stranger.call('POST', '/v2/password-resets/complete', reset);
    expect(done.data).toEqual({ status: 'second_factor', csrfToken: expect.any(String), ...NOBODY });
    const again = await stranger.call('POST', '/v2/password-resets/complete', reset);
    expect(again).toMatchObject({ status: 400, reason: 'link_invalid' });
    expect((await mailbox.fetch()).map(({ subject }) => subject)).toEqual([
      'Lotward: your password was changed',
    ]);
    await expect.poll(async () => (await browser.call('GET', '/v2/whoami')).status).toBe(401);
    expect(await openBrowser(api.url).signIn(email, PASSWORD)).toMatchObject({ status: 401 });
  });

  it('signs in with e-mail, password and code in one step, and signs out', async () => {
    const last = openBrowser(api.url);
    db.clock.advance(60_000);
    const wrong = await last.signIn(email, NEXT_PASSWORD, '123456');
    expect(wrong).toMatchObject({ status: 401, reason: 'code_refused' });
    expect(last.cookies.size).toBe(0);
    const { data } = await last.signIn(email, NEXT_PASSWORD, codeAt(secret, db.clock.now()));
    expect(data.status).toBe('complete');
    const whole = await last.call<SignedInData>('GET', '/v2/session');
    const { code, name } = org.organization;
    const organizations = [{ code, name, role: 'admin', current: true }];
    const preferences = { language: null, theme: null, density: null, timeZone: null, homePage: null };
    expect(whole.data).toEqual({
      ...data,
      organizations,
      secondFactor: true,
      dailyDigest: false,
      preferences,
    });
    await last.call('PATCH', '/v2/session', { dailyDigest: true });
    expect((await last.call('GET', '/v2/session')).data.dailyDigest).toBe(true);
    const token = last.cookies.get('lotward_session') ?? '';
    expect((await last.call('DELETE', '/v2/session')).status).toBe(200);
    expect(last.cookies.has('lotward_session')).toBe(false);
    last.cookies.set('lotward_session', token);
    await expect.poll(async () => (await last.call('GET', '/v2/session')).status).toBe(401);
  });

  it('leaves every step in the audit trail, and no secret anywhere', async () => {
    const entries = await db.sql<{ action: string; actor: string }>(
      `select action, actor from audit_entries where action ~ '^(user|session)' order by entry_id`,
    );
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set([
        'user.invite',
        'user.accept_invitation',
        'user.set_second_factor',
        'user.make_recovery_codes',
        'session.begin',
        'user.use_recovery_code',
        'session.end',
        'session.end_others',
        'user.ask_reset',
        'user.reset_password',
        'user.choose_digest',
      ]),
    );
    const tables = await db.sql<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'lotward' and table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(30);
    const secrets = [PASSWORD, NEXT_PASSWORD, secret, invitation, ...recoveryCodes];
    for (const { name } of tables) {
      const [row] = await db.sql<{ text: string }>(
        `select coalesce(string_agg(t::text, ' '), '') as text from lotward.${name} t`,
      );
      for (const each of secrets) expect(row?.text.includes(each), `${name} holds ${each}`).toBe(false);
    }
  });
});
