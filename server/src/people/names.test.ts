import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openMailbox, PASSWORD, tokenIn } from '../../test/access/people.js';
import { newOrganization, newSession, openTestService, type TestSession } from '../../test/harness/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { createUser, inviteUser } from './index.js';
import { removeUser } from './manage-users.js';

const NAMES = '/v2/settings/people-names';

interface SessionData {
  user: { name: string | null };
}
interface Named {
  items: { email: string; name: string | null }[];
}

let service: Awaited<ReturnType<typeof openTestService>>;
let orgId: string;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  orgId = service.org.organization.orgId;
});
afterAll(() => service.close());

const operator = (org = orgId) => systemPrincipal(org, 'operator@test.example');
const as = <D>(person: TestSession, method: string, path: string, body?: unknown) =>
  service.api.call<D>(method, path, body, undefined, person.headers);
const call = (person: TestSession, name: unknown) =>
  as<SessionData>(person, 'PATCH', '/v2/session', { name });
const nameIn = async (person: TestSession) =>
  (await as<SessionData>(person, 'GET', '/v2/session')).data.user.name;
const namesSeenBy = async (person: TestSession) => (await as<Named>(person, 'GET', NAMES)).data.items;

/** The same person, as a member of another organization. */
async function alsoIn(other: string, { email }: TestSession): Promise<TestSession> {
  const person = await transact(service.db.database, operator(other), (tx) =>
    createUser(tx, { email, role: 'viewer' }),
  );
  return newSession(service.db, other, { person });
}

describe('the name of a person', () => {
  it('is missing until they give one, and can be taken back', async () => {
    const person = await newSession(service.db, orgId);
    expect(await nameIn(person)).toBeNull();
    expect((await call(person, '张伟')).data.user.name).toBe('张伟');
    expect(await nameIn(person)).toBe('张伟');
    expect((await call(person, null)).data.user.name).toBeNull();
    expect(await namesSeenBy(person)).not.toContainEqual(expect.objectContaining({ email: person.email }));
  });

  it('is read by everybody of the organization in any role, and listed with the users', async () => {
    const person = await newSession(service.db, orgId, { role: 'viewer' });
    const admin = await newSession(service.db, orgId, { role: 'admin' });
    await call(admin, 'Ada Bergmann');
    expect(await namesSeenBy(person)).toContainEqual({ email: admin.email, name: 'Ada Bergmann' });
    const users = await as<Named>(admin, 'GET', '/v2/settings/users?limit=200');
    const shown = new Map(users.data.items.map(({ email, name }) => [email, name]));
    expect([shown.get(admin.email), shown.get(person.email)]).toEqual(['Ada Bergmann', null]);
  });

  it('is the same in each organization of the person, and unknown to all others', async () => {
    const [second, stranger] = await Promise.all([newOrganization(service.db), newOrganization(service.db)]);
    const here = await newSession(service.db, orgId);
    await call(here, 'Before');
    const there = await alsoIn(second.organization.orgId, here);
    expect(await namesSeenBy(there)).toEqual([{ email: here.email, name: 'Before' }]);
    await call(there, 'After');
    expect(await nameIn(here)).toBe('After');
    expect(await namesSeenBy(here)).toContainEqual({ email: here.email, name: 'After' });
    expect(await namesSeenBy(await newSession(service.db, stranger.organization.orgId))).toEqual([]);
  });

  it('is no longer shown to an organization that the person has left', async () => {
    const second = await newOrganization(service.db);
    const here = await newSession(service.db, orgId, { role: 'viewer' });
    const colleague = await newSession(service.db, orgId);
    await alsoIn(second.organization.orgId, here);
    await call(here, 'Gone');
    await transact(service.db.database, operator(), (tx) => removeUser(tx, here.userId));
    expect(JSON.stringify(await namesSeenBy(colleague))).not.toContain('Gone');
    const left = await as<{ name: string | null }>(colleague, 'GET', `/v2/settings/users/${here.userId}`);
    expect(left.data.name).toBeNull();
  });

  it('is audited with the one before', async () => {
    const person = await newSession(service.db, orgId);
    await call(person, 'First');
    service.db.clock.advance(1_000);
    await call(person, 'Second');
    const entries = await service.db.sql<{ actor: string; before: object; after: object }>(
      `select actor, before, after from audit_entries
       where org_id = $1 and entity_id = $2 and action = 'user.choose_name' order by entry_id`,
      [orgId, person.userId],
    );
    expect(entries).toEqual([
      { actor: person.email, before: { name: null }, after: { name: 'First' } },
      { actor: person.email, before: { name: 'First' }, after: { name: 'Second' } },
    ]);
  });

  it.each([
    ['', 'bad_length'],
    ['   ', 'bad_format'],
    [' Ann', 'bad_format'],
    ['Ann\nLee', 'bad_format'],
    ['x'.repeat(101), 'bad_length'],
    [7, 'wrong_type'],
  ])('is refused as %j', async (name, reason) => {
    const answer = await call(await newSession(service.db, orgId), name);
    expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([400, reason, '/name']);
  });

  it.each(["' Ann'", "'Ann '", "E'Ann\\nLee'", "repeat('x', 101)"])(
    'is kept out of the database as %s',
    (name) =>
      expect(service.db.sql(`update accounts set name = ${name}`)).rejects.toThrow('accounts_name_check'),
  );

  it('belongs to people: a key neither has one nor reads them, and nobody does without a credential', async () => {
    const patched = await service.call('PATCH', '/v2/session', { name: 'Key' });
    const read = await service.call('GET', NAMES);
    const nobody = await service.api.call('GET', NAMES);
    expect([patched, read, nobody].map(({ status, reason }) => [status, reason])).toEqual([
      [403, 'console_only'],
      [403, 'console_only'],
      [401, 'credential_missing'],
    ]);
  });

  it('can be given with an invitation, by those who have none: the second factor has not been asked for', async () => {
    const mailbox = await openMailbox(service.db);
    const email = 'guest@names.example';
    const second = await newOrganization(service.db);
    const accept = async (org: string, given: object) => {
      await transact(service.db.database, operator(org), (tx) =>
        inviteUser(tx, { email, role: 'viewer' }, { box: service.db.box, url: () => service.api.url }),
      );
      const mails = (await mailbox.fetch()).filter(({ to }) => to.includes(email));
      const token = tokenIn(mails.at(-1)?.text ?? '');
      const body = { token, password: PASSWORD, ...given };
      return openBrowser(service.api.url).call<SessionData>('POST', '/v2/invitations/accept', body);
    };
    expect((await accept(orgId, { name: ' ' })).reason).toBe('bad_format');
    expect((await accept(orgId, { name: '王敏' })).data.user.name).toBe('王敏');
    expect((await accept(second.organization.orgId, { name: 'Else' })).data.user.name).toBe('王敏');
    await mailbox.close();
  });
});
