import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  codeAt,
  enter,
  newPerson,
  openBrowser,
  openMailbox,
  PASSWORD,
  tokenIn,
} from '../../../test/access/people.js';
import {
  countingLimiter,
  newOrganization,
  newSession,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../../../test/harness/index.js';
import { updateOrganization } from '../../organizations/index.js';
import { type Tx, transact } from '../../platform/database/index.js';
import { systemPrincipal } from '../../platform/principal.js';
import { savePassword, withinAccount } from '../account.store.js';
import { createUser, givePassword, isPasswordOfUser } from '../index.js';
import { removeUser } from '../manage-users.js';
import { lockAccount } from '../user.store.js';
import { removeSessionsExcept } from './session.store.js';

let db: TestDatabase;
let api: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database);
  org = await newOrganization(db);
});
afterAll(async () => {
  await api.close();
  await db.close();
});

const asOperator = <T>(work: (tx: Tx) => Promise<T>, { organization } = org): Promise<T> =>
  transact(db.database, systemPrincipal(organization.orgId, 'operator@test.example'), work);

/** Makes the change after the request was let in, and before it comes to the person's account. */
async function overtaken<T>(
  userId: string,
  change: (tx: Tx) => Promise<unknown>,
  request: () => Promise<T>,
  where = org,
): Promise<T> {
  let answer: Promise<T> | undefined;
  await asOperator(async (tx) => {
    await lockAccount(tx, userId);
    answer = request();
    await expect.poll(async () => (await db.waiting()).length, { timeout: 15_000, interval: 10 }).toBe(1);
    await change(tx);
  }, where);
  return answer as Promise<T>;
}

const sessionsOf = (userId: string) => db.sql('select 1 from sessions where user_id = $1', [userId]);

describe('a change during a sign-in takes effect', () => {
  it('password changed: the old one is refused', async () => {
    const person = await newPerson(db, org);
    const answer = await overtaken(
      person.userId,
      (tx) => withinAccount(tx, person.email, () => savePassword(tx, person.email, 'another hash')),
      () => openBrowser(api.url).signIn(person.email, PASSWORD),
    );
    expect(answer).toMatchObject({ status: 401, reason: 'sign_in_refused' });
    expect(await sessionsOf(person.userId)).toEqual([]);
  });

  it('user removed: the sign-in is refused', async () => {
    const person = await newPerson(db, org);
    const answer = await overtaken(
      person.userId,
      (tx) => removeUser(tx, person.userId),
      () => openBrowser(api.url).signIn(person.email, PASSWORD),
    );
    expect(answer).toMatchObject({ status: 401, reason: 'sign_in_refused' });
    expect(await sessionsOf(person.userId)).toEqual([]);
  });

  it('organization suspended: the sign-in is refused', async () => {
    const elsewhere = await newOrganization(db);
    const person = await newPerson(db, elsewhere);
    const { orgId } = elsewhere.organization;
    const answer = await overtaken(
      person.userId,
      () => updateOrganization(db.database, 'operator@test.example', orgId, { status: 'suspended' }),
      () => openBrowser(api.url).signIn(person.email, PASSWORD),
      elsewhere,
    );
    expect(answer).toMatchObject({ status: 401, reason: 'sign_in_refused' });
    expect(await sessionsOf(person.userId)).toEqual([]);
  });

  it('session ended: the second factor does not restore it', async () => {
    const person = await newPerson(db, org, 'admin');
    const { secret } = await enter(openBrowser(api.url), person, db.clock.now);
    db.clock.advance(60_000);
    const browser = openBrowser(api.url);
    expect((await browser.signIn(person.email, PASSWORD)).data.status).toBe('second_factor');
    const answer = await overtaken(
      person.userId,
      (tx) => removeSessionsExcept(tx, person.userId, ''),
      () => browser.call('POST', '/v2/session/second-factor', { code: codeAt(secret ?? '', db.clock.now()) }),
    );
    expect(answer).toMatchObject({ status: 401, reason: 'sign_in_refused' });
    expect(await sessionsOf(person.userId)).toEqual([]);
  });

  it('user removed: the account can no longer be changed', async () => {
    const person = await newPerson(db, org);
    const browser = openBrowser(api.url);
    await browser.signIn(person.email, PASSWORD);
    const answer = await overtaken(
      person.userId,
      (tx) => removeUser(tx, person.userId),
      () => browser.call('POST', '/v2/session/totp', { password: PASSWORD }),
    );
    expect(answer.status).toBe(404);
    expect(
      await db.sql('select totp_next_sealed as next from accounts where email = $1', [person.email]),
    ).toEqual([]);
  });

  it('user removed: a link mailed before is refused', async () => {
    const person = await newPerson(db, org);
    const mailbox = await openMailbox(db);
    await openBrowser(api.url).call('POST', '/v2/password-resets', { email: person.email });
    const mail = (await mailbox.fetch()).find(({ to }) => to.includes(person.email));
    await mailbox.close();
    const token = tokenIn(mail?.text ?? '');
    expect(token).toMatch(/^lwr_/);
    await db.sql("update users set status = 'removed' where user_id = $1", [person.userId]);
    const body = { token, password: 'quite another long sentence' };
    const answer = await openBrowser(api.url).call('POST', '/v2/password-resets/complete', body);
    expect(answer).toMatchObject({ status: 400, reason: 'link_invalid' });
    expect(await sessionsOf(person.userId)).toEqual([]);
  });
});

describe('a second factor', () => {
  it('is accepted only when it is asked for', async () => {
    const person = await newPerson(db, org);
    const browser = openBrowser(api.url);
    expect((await browser.signIn(person.email, PASSWORD, '123456')).data.status).toBe('complete');
    const given = await browser.call('POST', '/v2/session/second-factor', { code: '123456' });
    expect(given).toMatchObject({ status: 400, reason: 'second_factor_not_due' });
  });

  it('that is being replaced cannot be bypassed with the password and the code of the new one', async () => {
    const person = await newPerson(db, org, 'admin');
    const inside = openBrowser(api.url);
    await enter(inside, person, db.clock.now);
    const next = await inside.call<{ secret: string }>('POST', '/v2/session/totp', { password: PASSWORD });
    const outside = openBrowser(api.url);
    expect((await outside.signIn(person.email, PASSWORD)).data.status).toBe('second_factor');
    const code = codeAt(next.data.secret, db.clock.now());
    const answer = await outside.call('POST', '/v2/session/totp/confirm', { code });
    expect(answer).toMatchObject({ status: 400, reason: 'second_factor_not_due' });
  });

  it('that does not exist can be neither given, confirmed nor removed', async () => {
    const person = await newPerson(db, org);
    const browser = openBrowser(api.url);
    await browser.signIn(person.email, PASSWORD);
    const confirmed = await browser.call('POST', '/v2/session/totp/confirm', { code: '123456' });
    expect(confirmed.reason).toBe('second_factor_not_due');
    const removed = await browser.call('DELETE', '/v2/session/totp', { password: PASSWORD });
    expect(removed.reason).toBe('no_second_factor');
    const { headers } = await newSession(db, org.organization.orgId, { state: 'second_factor' });
    const given = await api.call('POST', '/v2/session/second-factor', { code: '123456' }, undefined, headers);
    expect(given).toMatchObject({ status: 401, reason: 'code_refused' });
  });
});

describe('an operator', () => {
  it('can set a password only for an active user without one', async () => {
    const without = await newPerson(db, org, 'viewer', null);
    const having = await newPerson(db, org);
    const invited = await asOperator((tx) =>
      createUser(tx, { email: 'invited@give.example', role: 'viewer' }),
    );
    await db.sql("update users set status = 'invited' where user_id = $1", [invited.userId]);
    const give = (email: string) => asOperator((tx) => givePassword(tx, email, 'a hash'));
    expect(await give(without.email)).toBe(true);
    expect([await give(having.email), await give(invited.email), await give('nobody@give.example')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await asOperator((tx) => isPasswordOfUser(tx, having.email, PASSWORD))).toBe(true);
  });

  it('cannot create a user with an invalid e-mail address', async () => {
    const made = asOperator((tx) => createUser(tx, { email: 'nobody', role: 'viewer' }));
    await expect(made).rejects.toMatchObject({ issues: [{ reason: 'bad_email' }] });
  });
});

it('password resets are limited per address and minute', async () => {
  const limiting = await startApi(db.database, { limiter: countingLimiter(db.clock) });
  const ask = () => limiting.call('POST', '/v2/password-resets', { email: 'nobody@reset.example' });
  const statuses = (await Promise.all(Array.from({ length: 21 }, ask))).map(({ status }) => status);
  await limiting.close();
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});
