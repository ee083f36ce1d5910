import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { updateOrganization } from '../../src/organizations/index.js';
import { createUser } from '../../src/people/index.js';
import { removeUser } from '../../src/people/manage-users.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import {
  newOrganization,
  newSession,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
  type TestSession,
} from '../harness/index.js';
import { codeAt, enter, newPerson, openBrowser, openMailbox, PASSWORD, tokenIn } from './people.js';

interface Place extends TestOrganization {
  admin: TestSession;
}

let db: TestDatabase;
let api: TestApi;
let here: Place;
let there: Place;
let mailbox: Awaited<ReturnType<typeof openMailbox>>;
const newPlace = async (): Promise<Place> => {
  const org = await newOrganization(db);
  return { ...org, admin: await newSession(db, org.organization.orgId) };
};
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database);
  [here, there] = [await newPlace(), await newPlace()];
  mailbox = await openMailbox(db);
});
afterAll(async () => {
  await mailbox.close();
  await api.close();
  await db.close();
});

const asOperator = <T>(place: TestOrganization, work: (tx: Tx) => Promise<T>) =>
  transact(db.database, systemPrincipal(place.organization.orgId, 'operator@test.example'), work);
const join = (place: Place, email: string, role: 'viewer' | 'admin' = 'viewer') =>
  asOperator(place, (tx) => createUser(tx, { email, role }));
const asAdmin = <D>(place: Place, method: string, path: string, body?: object) =>
  api.call<D>(method, path, body, undefined, place.admin.headers);
const invite = (place: Place, email: string) =>
  asAdmin<{ userId: string }>(place, 'POST', '/v2/settings/users', { email, role: 'viewer' });
const accept = (token: string, password: string) =>
  api.call<{ status: string }>('POST', '/v2/invitations/accept', { token, password });
const readInvitation = (token: string) =>
  api.call<{ hasAccount: boolean }>('POST', '/v2/invitations/read', { token });
let strangers = 0;
const newAddress = () => `stranger${++strangers}@nowhere.example`;
const OTHER_PASSWORD = 'quite another long sentence';

/** Invites the address and returns the token that was mailed. */
async function invited(place: Place, email: string): Promise<string> {
  const answer = await invite(place, email);
  expect(answer.status, answer.text).toBe(200);
  return tokenIn(
    (await mailbox.fetch()).find(({ to, text }) => to.includes(email) && text.includes('#lwi_'))?.text ?? '',
  );
}

const accountsOf = (email: string) => db.sql('select 1 from accounts where email = $1', [email]);
interface Session {
  status: string;
  organization: { code: string } | null;
  organizations: { code: string; role: string; current: boolean }[];
}
const sessionOf = (browser: ReturnType<typeof openBrowser>) => browser.call<Session>('GET', '/v2/session');
const switchTo = (browser: ReturnType<typeof openBrowser>, organization: string) =>
  browser.call<Session>('PATCH', '/v2/session', { organization });
const endsSoon = (browser: ReturnType<typeof openBrowser>) =>
  expect
    .poll(async () => (await browser.call('GET', '/v2/whoami')).status, { timeout: 60_000, interval: 20 })
    .toBe(401);

describe('an invitation', () => {
  /** The response without what is the invited person's own, and the statements it took. */
  async function invitationOf(email: string) {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const answer = await invite(there, email);
    // Other services of this process have connections too.
    const statements = query.mock.calls
      .filter((_call, n) => (query.mock.contexts[n] as pg.Client).database === db.name)
      .map(([sent]) => (typeof sent === 'string' ? sent : (sent as unknown as { text?: string }).text))
      .filter(
        (text) =>
          text !== undefined &&
          !/clock_timestamp|set last_seen_at|credential_(usage|requests)|as q\(org_id, session_id\)|email, generation from accounts/.test(
            text,
          ),
      );
    query.mockRestore();
    const { userId: _id, email: _email, createdAt: _at, ...rest } = answer.data as Record<string, unknown>;
    return { status: answer.status, reason: answer.reason, rest, statements };
  }

  it('gets the same response and takes the same work, whether the person is unknown, invited or active elsewhere', async () => {
    const active = await newPerson(db, here);
    const invitedElsewhere = newAddress();
    await invited(here, invitedElsewhere);
    await invitationOf(newAddress());
    const unknown = await invitationOf(newAddress());
    expect(unknown).toMatchObject({ status: 200, rest: { status: 'invited', secondFactor: false } });
    expect(unknown.statements.length).toBeGreaterThan(5);
    expect(await invitationOf(invitedElsewhere)).toEqual(unknown);
    expect(await invitationOf(active.email)).toEqual(unknown);
    await mailbox.fetch();
  });

  it('reserves nothing: the organization that invites first keeps no other from inviting or creating the person', async () => {
    const email = newAddress();
    const first = await invited(here, email);
    const second = await invited(there, email);
    expect(await accountsOf(email)).toEqual([]);
    expect((await accept(second, PASSWORD)).status).toBe(200);
    expect((await readInvitation(first)).data).toMatchObject({ email, hasAccount: true });
    const third = await newPlace();
    expect(await join(third, email)).toMatchObject({ email });
  });

  it('is accepted with the password of the account, which stays as it is', async () => {
    const person = await newPerson(db, here);
    const token = await invited(there, person.email);
    expect((await readInvitation(token)).data.hasAccount).toBe(true);
    const wrong = await accept(token, OTHER_PASSWORD);
    expect([wrong.status, wrong.reason, wrong.json.errors[0]?.path]).toEqual([
      400,
      'password_wrong',
      '/password',
    ]);
    const browser = openBrowser(api.url);
    const body = { token, password: PASSWORD };
    expect((await browser.call('POST', '/v2/invitations/accept', body)).data.status).toBe('complete');
    const codes = [here, there].map(({ organization }) => organization.code).sort();
    const { data } = await sessionOf(browser);
    expect(data.organization?.code).toBe(there.organization.code);
    expect(data.organizations.map(({ code }) => code).sort()).toEqual(codes);
    expect((await accept(token, PASSWORD)).reason).toBe('link_invalid');
    expect((await openBrowser(api.url).signIn(person.email, OTHER_PASSWORD)).status).toBe(401);
  });

  it('still needs the second factor of the account', async () => {
    const person = await newPerson(db, here);
    const inside = openBrowser(api.url);
    await inside.signIn(person.email, PASSWORD);
    const { data } = await inside.call<{ secret: string }>('POST', '/v2/session/totp', {
      password: PASSWORD,
    });
    const code = codeAt(data.secret, db.clock.now());
    expect((await inside.call('POST', '/v2/session/totp/confirm', { code })).status).toBe(200);
    const token = await invited(there, person.email);
    expect((await accept(token, PASSWORD)).data.status).toBe('second_factor');
  });

  it('lets nobody guess the password of an account faster than a sign-in', async () => {
    const person = await newPerson(db, here);
    const token = await invited(there, person.email);
    for (let i = 0; i < 6; i++) expect((await accept(token, `no ${i}`)).reason).toBe('password_wrong');
    expect(await accept(token, PASSWORD)).toMatchObject({ status: 429, reason: 'sign_in_delayed' });
    expect((await openBrowser(api.url).signIn(person.email, PASSWORD)).reason).toBe('sign_in_delayed');
  });

  it('of two accepted at once makes one account; the other needs its password', async () => {
    const email = newAddress();
    const tokens = [await invited(here, email), await invited(there, email)] as const;
    const passwords = [PASSWORD, OTHER_PASSWORD] as const;
    const answers = await Promise.all(tokens.map((token, i) => accept(token, passwords[i] ?? '')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const won = answers[0]?.status === 200 ? 0 : 1;
    expect(answers[1 - won]?.reason).toBe('password_wrong');
    expect(await accountsOf(email)).toHaveLength(1);
    expect((await accept(tokens[1 - won] ?? '', passwords[won] ?? '')).status).toBe(200);
  });
});

describe('switching to another organization', () => {
  it('begins a session there and ends this one, audited in both', async () => {
    const person = await newPerson(db, here);
    const { userId } = await join(there, person.email, 'viewer');
    const browser = openBrowser(api.url);
    await browser.signIn(person.email, PASSWORD);
    const before = new Map(browser.cookies);
    const { data } = await switchTo(browser, there.organization.code);
    expect(data).toMatchObject({ status: 'complete', organization: { code: there.organization.code } });
    expect(data.organizations.find(({ current }) => current)?.code).toBe(there.organization.code);
    const whoami = await browser.call<{ organization: { code: string } }>('GET', '/v2/whoami');
    expect(whoami.data.organization.code).toBe(there.organization.code);
    await endsSoon(openBrowser(api.url, before));
    const audited = (place: Place) =>
      db.sql<{ action: string }>(
        'select action from audit_entries where org_id = $1 and actor = $2 order by action',
        [place.organization.orgId, person.email],
      );
    expect((await audited(here)).map(({ action }) => action)).toEqual(['session.begin', 'session.end']);
    expect((await audited(there)).map(({ action }) => action)).toEqual(['session.begin']);
    expect(await db.sql('select 1 from sessions where user_id = $1', [userId])).toHaveLength(1);
    const again = openBrowser(api.url);
    expect((await again.signIn(person.email, PASSWORD)).data.organization?.code, 'used last').toBe(
      there.organization.code,
    );
  });

  it('refuses one that is unknown, suspended or not the person’s with one and the same error', async () => {
    const [suspended, inviting, left] = [await newPlace(), await newPlace(), await newPlace()];
    const person = await newPerson(db, here);
    await join(suspended, person.email);
    await updateOrganization(db.database, 'operator@test.example', suspended.organization.orgId, {
      status: 'suspended',
    });
    await invited(inviting, person.email);
    const { userId } = await join(left, person.email);
    await asOperator(left, (tx) => removeUser(tx, userId));
    const browser = openBrowser(api.url);
    await browser.signIn(person.email, PASSWORD);
    const refusals = new Set<string>();
    for (const code of [suspended, inviting, left, there].map(({ organization }) => organization.code)) {
      const answer = await switchTo(browser, code);
      expect(answer.status, code).toBe(404);
      refusals.add(JSON.stringify(answer.json.errors));
    }
    refusals.add(JSON.stringify((await switchTo(browser, 'no-such')).json.errors));
    expect([...refusals]).toHaveLength(1);
    expect((await sessionOf(browser)).data.organizations).toHaveLength(1);
  });

  it('carries the second factor over, and demands one where the role does', async () => {
    const person = await newPerson(db, here, 'admin');
    await join(there, person.email, 'admin');
    const browser = openBrowser(api.url);
    await enter(browser, person, db.clock.now);
    expect((await switchTo(browser, there.organization.code)).data.status).toBe('complete');
    const key = { name: 'x', owner: person.email, scopes: ['products:read'] };
    expect((await browser.call('POST', '/v2/settings/keys', key)).status, 'no step-up needed').toBe(200);

    const plain = await newPerson(db, here);
    await join(there, plain.email, 'admin');
    const second = openBrowser(api.url);
    await second.signIn(plain.email, PASSWORD);
    const switched = await switchTo(second, there.organization.code);
    expect(switched.data).toMatchObject({ status: 'enrolment', organization: null, organizations: [] });
  });

  it('does not make a session last longer than twelve hours', async () => {
    const person = await newPerson(db, here);
    const { userId } = await join(there, person.email);
    const browser = openBrowser(api.url);
    await browser.signIn(person.email, PASSWORD);
    const [first] = await db.sql('select expires_at from sessions where user_id = $1', [person.userId]);
    db.clock.advance(30 * 60_000);
    expect((await switchTo(browser, there.organization.code)).status).toBe(200);
    expect(await db.sql('select expires_at from sessions where user_id = $1', [userId])).toEqual([first]);
  });

  it('lets one of two at once through', async () => {
    const person = await newPerson(db, here);
    const { userId } = await join(there, person.email);
    const browser = openBrowser(api.url);
    await browser.signIn(person.email, PASSWORD);
    const both = [1, 2].map(() => {
      const copy = openBrowser(api.url, new Map(browser.cookies));
      return copy.call(
        'PATCH',
        '/v2/session',
        { organization: there.organization.code },
        { 'x-csrf-token': browser.csrf ?? '' },
      );
    });
    const statuses = (await Promise.all(both)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 401]);
    expect(await db.sql('select 1 from sessions where user_id = $1', [userId])).toHaveLength(1);
  });
});

describe('signing in', () => {
  it('takes the organization that is named, and refuses another like a wrong password', async () => {
    const person = await newPerson(db, here);
    await join(there, person.email);
    const attempt = (organization: string) =>
      api.call<Session>('POST', '/v2/session', { email: person.email, password: PASSWORD, organization });
    const { code } = there.organization;
    expect((await attempt(code)).data.organization?.code).toBe(code);
    expect((await attempt(here.organization.code)).data.organization?.code).toBe(here.organization.code);
    const refused = await attempt((await newPlace()).organization.code);
    expect(refused).toMatchObject({ status: 401, reason: 'sign_in_refused' });
  });
});

describe('removing a person', () => {
  it('ends the membership here only', async () => {
    const person = await newPerson(db, here);
    await join(there, person.email);
    const [inHere, inThere] = [openBrowser(api.url), openBrowser(api.url)];
    await inHere.signIn(person.email, PASSWORD);
    await inThere.call('POST', '/v2/session', {
      email: person.email,
      password: PASSWORD,
      organization: there.organization.code,
    });
    expect((await asAdmin(here, 'DELETE', `/v2/settings/users/${person.userId}`)).status).toBe(200);
    await endsSoon(inHere);
    expect((await sessionOf(inThere)).data.organizations).toHaveLength(1);
    expect((await openBrowser(api.url).signIn(person.email, PASSWORD)).status).toBe(200);
  });

  it('ends the account with the last membership, also when two organizations remove them at once', async () => {
    const person = await newPerson(db, here);
    const { userId } = await join(there, person.email);
    await Promise.all([
      asOperator(here, (tx) => removeUser(tx, person.userId)),
      asOperator(there, (tx) => removeUser(tx, userId)),
    ]);
    expect(await accountsOf(person.email)).toEqual([]);
    const token = await invited(here, person.email);
    expect((await readInvitation(token)).data.hasAccount).toBe(false);
    expect((await accept(token, OTHER_PASSWORD)).status).toBe(200);
  });
});
