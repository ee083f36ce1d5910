import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, newSession, openTestService, type TestSession } from '../../test/harness/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { removeUser } from './manage-users.js';

interface SessionData {
  preferences: Record<string, string | null> | null;
}

const NONE = { language: null, theme: null, density: null, timeZone: null, homePage: null };

let service: Awaited<ReturnType<typeof openTestService>>;
let orgId: string;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  orgId = service.org.organization.orgId;
});
afterAll(() => service.close());

const read = async (person: TestSession) =>
  (await service.api.call<SessionData>('GET', '/v2/session', undefined, undefined, person.headers)).data
    .preferences;
const choose = (person: TestSession, preferences: object) =>
  service.api.call<SessionData>('PATCH', '/v2/session', { preferences }, undefined, person.headers);

describe('the preferences of a person', () => {
  it('are kept one by one, and taken back with null', async () => {
    const person = await newSession(service.db, orgId);
    expect(await read(person)).toEqual(NONE);
    await choose(person, { language: 'zh-CN', timeZone: 'Asia/Shanghai' });
    const { data } = await choose(person, { density: 'compact', language: null, homePage: '/orders' });
    const expected = { ...NONE, timeZone: 'Asia/Shanghai', density: 'compact', homePage: '/orders' };
    expect(data.preferences).toEqual(expected);
    expect(await read(person)).toEqual(expected);
  });

  it('are theirs alone: nobody else has them, in this organization or another', async () => {
    const other = await newOrganization(service.db);
    const people = [
      await newSession(service.db, orgId),
      await newSession(service.db, orgId),
      await newSession(service.db, other.organization.orgId),
    ] as const;
    await choose(people[0], { theme: 'dark' });
    expect(await Promise.all(people.map(read))).toEqual([{ ...NONE, theme: 'dark' }, NONE, NONE]);
  });

  it('are audited, and gone with the person', async () => {
    const person = await newSession(service.db, orgId);
    await newSession(service.db, orgId, { role: 'admin' });
    await choose(person, { theme: 'light' });
    const entries = await service.db.sql<{ action: string }>(
      'select action from audit_entries where org_id = $1 and entity_id = $2',
      [orgId, person.userId],
    );
    expect(entries.map(({ action }) => action)).toContain('user.choose_preferences');
    await transact(service.db.database, systemPrincipal(orgId, 'operator@test.example'), (tx) =>
      removeUser(tx, person.userId),
    );
    const [left] = await service.db.sql<{ preferences: object }>(
      'select preferences from users where org_id = $1 and user_id = $2',
      [orgId, person.userId],
    );
    expect(left?.preferences).toEqual({});
  });

  it.each([
    [{ language: 'fr' }, 'not_allowed', '/preferences/language'],
    [{ theme: '' }, 'not_allowed', '/preferences/theme'],
    [{ timeZone: 'Mars/Olympus' }, 'unknown_time_zone', '/preferences/timeZone'],
    [{ homePage: 'https://evil.example' }, 'bad_format', '/preferences/homePage'],
    [{ font: 'serif' }, 'unknown_field', '/preferences/font'],
  ])('are refused with %j', async (part, reason, path) => {
    const person = await newSession(service.db, orgId);
    const answer = await choose(person, part);
    expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([400, reason, path]);
  });

  it('are for people: a key has none', async () => {
    const answer = await service.call('PATCH', '/v2/session', { preferences: { theme: 'dark' } });
    expect([answer.status, answer.reason]).toEqual([403, 'console_only']);
  });
});
