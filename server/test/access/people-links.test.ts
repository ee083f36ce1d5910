import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateOrganization } from '../../src/organizations/index.js';
import { inviteUser } from '../../src/people/index.js';
import { changeRole, removeUser, sendInvitationAgain } from '../../src/people/manage-users.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import {
  newOrganization,
  openTestDatabase,
  runCommand,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../harness/index.js';
import { newPerson, openBrowser, openMailbox, PASSWORD, tokenIn } from './people.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let db: TestDatabase;
let api: TestApi;
let org: TestOrganization;
let mailbox: Awaited<ReturnType<typeof openMailbox>>;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database);
  org = await newOrganization(db);
  mailbox = await openMailbox(db);
});
afterAll(async () => {
  await mailbox.close();
  await api.close();
  await db.close();
});

const asOperator = <T>(work: (tx: Tx) => Promise<T>, of = org, database = db.database) =>
  transact(database, systemPrincipal(of.organization.orgId, 'operator@test.example'), work);
const mailing = () => ({ box: db.box, url: () => api.url });
let guests = 0;
async function invited(of = org, role: Parameters<typeof newPerson>[2] = 'viewer') {
  const email = `guest${++guests}@acme.example`;
  const user = await asOperator((tx) => inviteUser(tx, { email, role }, mailing()), of);
  const [mail] = await mailbox.fetch();
  return { ...user, token: tokenIn(mail?.text ?? '') };
}
const accept = (token: string, password = PASSWORD) =>
  api.call<{ status: string }>('POST', '/v2/invitations/accept', { token, password });
const complete = (token: string, password = PASSWORD) =>
  api.call<{ status: string }>('POST', '/v2/password-resets/complete', { token, password });
const ask = (email: string) => api.call('POST', '/v2/password-resets', { email });
/** On a busy machine one of two at once may wait too long for the other, and is asked to try again. */
async function untilAnswered<T extends { status: number }>(call: () => Promise<T>): Promise<T> {
  const answer = await call();
  return answer.status === 500 ? untilAnswered(call) : answer;
}
const REFUSED = { status: 400, code: 1001, reason: 'link_invalid' };

describe('an invitation', () => {
  it('works once, within seven days, and only the newest one', async () => {
    const guest = await invited();
    await asOperator((tx) => sendInvitationAgain(tx, guest.userId, mailing()));
    const newest = tokenIn((await mailbox.fetch())[0]?.text ?? '');
    expect(await accept(guest.token)).toMatchObject(REFUSED);
    db.clock.advance(7 * DAY - 1);
    const both = await Promise.all([1, 2].map(() => untilAnswered(() => accept(newest))));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await accept(newest)).toMatchObject(REFUSED);
    const late = await invited();
    db.clock.advance(7 * DAY);
    expect(await accept(late.token)).toMatchObject(REFUSED);
  });

  it('is refused when altered, in another organization, or as a password reset', async () => {
    const guest = await invited();
    const other = await newOrganization(db);
    const elsewhere = guest.token.replace(org.organization.orgId.slice(4), other.organization.orgId.slice(4));
    expect(elsewhere).not.toBe(guest.token);
    for (const token of [
      elsewhere,
      `${guest.token}x`,
      guest.token.slice(0, -1),
      'x',
      '',
      guest.token.replace('lwi', 'lwr'),
    ]) {
      expect(await accept(token)).toMatchObject(REFUSED);
      expect(await api.call('POST', '/v2/invitations/read', { token })).toMatchObject(REFUSED);
    }
    expect(await complete(guest.token)).toMatchObject(REFUSED);
    expect((await accept(guest.token)).status).toBe(200);
  });

  it('of a removed user or a suspended organization is refused; the user can be invited again', async () => {
    const guest = await invited();
    await asOperator((tx) => removeUser(tx, guest.userId));
    expect(await accept(guest.token)).toMatchObject(REFUSED);
    const again = await asOperator((tx) => inviteUser(tx, { email: guest.email, role: 'sales' }, mailing()));
    expect(again).toMatchObject({ userId: guest.userId, status: 'invited', role: 'sales' });
    const token = tokenIn((await mailbox.fetch())[0]?.text ?? '');
    const suspend = (status: 'active' | 'suspended') =>
      updateOrganization(db.database, 'operator@test.example', org.organization.orgId, { status });
    await suspend('suspended');
    expect(await accept(token)).toMatchObject(REFUSED);
    await suspend('active');
    expect((await accept(token)).data.status).toBe('complete');
  });

  it('stays valid when the chosen password is too weak', async () => {
    const guest = await invited();
    for (const [password, reason] of [
      ['short', 'password_too_short'],
      ['x'.repeat(257), 'password_too_long'],
      ['Password1234', 'password_common'],
      [guest.email, 'password_personal'],
    ] as const)
      expect(await accept(guest.token, password)).toMatchObject({ status: 400, reason });
    expect((await accept(guest.token)).status).toBe(200);
  });

  it('cannot be sent to an active user of the organization', async () => {
    const person = await newPerson(db, org);
    await expect(
      asOperator((tx) => inviteUser(tx, { email: person.email, role: 'viewer' }, mailing())),
    ).rejects.toMatchObject({ issues: [{ reason: 'email_taken' }] });
    expect(await mailbox.fetch()).toEqual([]);
  });
});

describe('a password reset by mail', () => {
  it('gets the same response for every address, and is mailed only to users', async () => {
    const person = await newPerson(db, org);
    const removed = await newPerson(db, org);
    await asOperator((tx) => removeUser(tx, removed.userId));
    const answers = await Promise.all([ask(person.email), ask(removed.email), ask('nobody@nowhere.example')]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, data: {} });
    expect((await mailbox.fetch()).map(({ to }) => to)).toEqual([[person.email]]);
  });

  it('works once within an hour, ends every session, and is mailed at most three times an hour', async () => {
    const person = await newPerson(db, org);
    const browser = openBrowser(api.url);
    await browser.signIn(person.email, PASSWORD);
    for (let i = 0; i < 5; i++) await ask(person.email);
    const mails = await mailbox.fetch();
    expect(mails).toHaveLength(3);
    const [first = '', second = '', third = ''] = mails.map(({ text }) => tokenIn(text));
    db.clock.advance(HOUR - 1);
    const next = 'ten lanterns at the lock';
    const both = await Promise.all([complete(first, next), complete(first, next)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await complete(second)).toMatchObject(REFUSED);
    expect(await accept(third)).toMatchObject(REFUSED);
    await expect.poll(async () => (await browser.call('GET', '/v2/whoami')).status).toBe(401);
    expect((await openBrowser(api.url).signIn(person.email, next)).status).toBe(200);
    await ask(person.email);
    const late = tokenIn((await mailbox.fetch()).at(-1)?.text ?? '');
    db.clock.advance(HOUR);
    expect(await complete(late)).toMatchObject(REFUSED);
  });

  it('resends an invitation that was not accepted, at most three times an hour', async () => {
    const guest = await invited();
    db.clock.advance(HOUR);
    for (let i = 0; i < 4; i++) await ask(guest.email);
    const [mail, ...more] = await mailbox.fetch();
    expect(more).toEqual([]);
    expect((await accept(tokenIn(mail?.text ?? ''))).status).toBe(200);
  });

  it('is stored sealed until it is sent', async () => {
    const person = await newPerson(db, org);
    await ask(person.email);
    const [row] = await db.sql<{ body: string; sealed: boolean }>(
      'select body, body_sealed as sealed from mails where due_at is not null',
    );
    expect(row?.sealed).toBe(true);
    expect(row?.body).not.toMatch(/lwr_|http/);
    expect((await mailbox.fetch())[0]?.text).toMatch(/#lwr_/);
  });
});

describe('the last administrator', () => {
  it('can be neither removed nor demoted, even when two are removed at once', async () => {
    const own = await newOrganization(db);
    const [ada, bob] = [await newPerson(db, own, 'admin'), await newPerson(db, own, 'admin')];
    const other = await db.another();
    const outcomes = await Promise.allSettled([
      asOperator((tx) => removeUser(tx, ada.userId), own),
      asOperator((tx) => changeRole(tx, bob.userId, 'viewer'), own, other),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const admins = await db.sql<{ userId: string }>(
      `select user_id as "userId" from users where org_id = $1 and role = 'admin' and status = 'active'`,
      [own.organization.orgId],
    );
    expect(admins).toHaveLength(1);
    const last = admins[0]?.userId ?? '';
    for (const work of [(tx: Tx) => removeUser(tx, last), (tx: Tx) => changeRole(tx, last, 'quality')])
      await expect(asOperator(work, own)).rejects.toMatchObject({
        issues: [{ reason: 'last_administrator' }],
      });
  });

  it('does not count users who are only invited', async () => {
    const own = await newOrganization(db);
    const ada = await newPerson(db, own, 'admin');
    await invited(own, 'admin');
    await expect(asOperator((tx) => removeUser(tx, ada.userId), own)).rejects.toMatchObject({
      issues: [{ reason: 'last_administrator' }],
    });
  });

  it('users of another organization cannot be removed', async () => {
    const own = await newOrganization(db);
    const person = await newPerson(db, org);
    await expect(asOperator((tx) => removeUser(tx, person.userId), own)).rejects.toMatchObject({
      kind: 'missing',
    });
  });
});

describe('the command line', () => {
  it('creates a user who can sign in, lists users and invites', async () => {
    const { code } = org.organization;
    const person = ['--org', code, '--email', 'Cli@acme.example', '--role', 'sales'];
    const common = await runCommand(db, 'user', 'create', ...person, '--password', 'password1234');
    expect(common).toMatchObject({ exitCode: 1, out: '' });
    expect(common.err).toContain('/password: this password is too common');
    const made = await runCommand(db, 'user', 'create', ...person, '--password', PASSWORD, '--json');
    expect(JSON.parse(made.out)).toEqual({
      userId: expect.any(String),
      email: 'cli@acme.example',
      role: 'sales',
    });
    expect((await openBrowser(api.url).signIn('cli@acme.example', PASSWORD)).data.status).toBe('complete');
    await runCommand(db, 'user', 'invite', '--org', code, '--email', 'new@acme.example', '--role', 'viewer');
    const [mail] = await mailbox.fetch();
    expect(mail?.to).toEqual(['new@acme.example']);
    expect(mail?.text).toContain('http://127.0.0.1:8080/invitation#lwi_');
    const listed = JSON.parse((await runCommand(db, 'user', 'list', '--org', code, '--json')).out);
    expect(listed.users).toContainEqual(
      expect.objectContaining({ email: 'new@acme.example', status: 'invited', secondFactor: false }),
    );
    expect(JSON.stringify(listed)).not.toMatch(/argon2|Hash/);
  });

  it('makes the person named in the environment the administrator of each organization, with one password', async () => {
    process.env.LOTWARD_ADMIN_EMAIL = 'boss@acme.example';
    process.env.LOTWARD_ADMIN_PASSWORD = PASSWORD;
    try {
      for (const code of ['first', 'second']) {
        const made = await runCommand(db, 'org', 'create', '--code', code, '--name', `The ${code}`);
        expect(made.exitCode).toBe(0);
        expect(made.out, code).toContain('boss@acme.example is its administrator');
        process.env.LOTWARD_ADMIN_PASSWORD = 'quite another long sentence';
      }
    } finally {
      delete process.env.LOTWARD_ADMIN_EMAIL;
      delete process.env.LOTWARD_ADMIN_PASSWORD;
    }
    expect((await openBrowser(api.url).signIn('boss@acme.example', PASSWORD)).data.status).toBe('enrolment');
  });
});
