import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  newOrganization,
  newPerson,
  newSession,
  openTestService,
  startApi,
  type TestOrganization,
  type TestSession,
} from '../../test/harness/index.js';

interface User {
  userId: string;
  email: string;
  role: string;
  status: string;
  secondFactor: boolean;
  dailyDigest: boolean;
  lastSignInAt: string | null;
  createdAt: string;
  link?: string | null;
}

const PATH = '/v2/settings/users';

let service: Awaited<ReturnType<typeof openTestService>>;
let org: TestOrganization;
let orgId: string;
let admin: TestSession;
let invited = 0;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
beforeEach(async () => {
  org = await newOrganization(service.db);
  orgId = org.organization.orgId;
  admin = await newSession(service.db, orgId);
});
afterAll(() => service.close());

const consoleCallerOf = <D = User>(
  method: string,
  path: string,
  body?: object,
  by = admin,
): Promise<Answer<D>> => service.api.call<D>(method, path, body, undefined, by.headers);
const invite = (part: object = {}) =>
  consoleCallerOf('POST', PATH, { email: `new-${++invited}@test.example`, role: 'sales', ...part });
const statusFor = async (session: TestSession) =>
  (await service.api.call('GET', '/v2/whoami', undefined, undefined, session.headers)).status;
const audited = async (userId: string) =>
  (
    await service.db.sql<{ action: string; actor: string }>(
      'select action, actor from audit_entries where org_id = $1 and entity_id = $2 order by at, entry_id',
      [orgId, userId],
    )
  ).map(({ action, actor }) => [action, actor]);
const mailsTo = (email: string) =>
  service.db.sql<{ id: string; subject: string; body: string; sealed: boolean }>(
    'select mail_id as id, subject, body, body_sealed as sealed from mails where org_id = $1 and $2 = any(recipients)',
    [orgId, email],
  );

describe('somebody invited', () => {
  it('is listed as invited and gets a mail whose link only the service can read', async () => {
    const { data, status, text } = await invite({ email: 'New.Person@Test.example' });
    expect([status, data], text).toEqual([
      200,
      {
        userId: data.userId,
        email: 'new.person@test.example',
        name: null,
        role: 'sales',
        status: 'invited',
        secondFactor: false,
        dailyDigest: data.dailyDigest,
        lastSignInAt: null,
        createdAt: service.db.clock.now().toISOString(),
        updatedAt: service.db.clock.now().toISOString(),
        link: null,
      },
    ]);
    const { link: _, ...user } = data;
    expect((await consoleCallerOf('GET', `${PATH}/${data.userId}`)).data).toEqual(user);
    const [mail, ...others] = await mailsTo(data.email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ sealed: true });
    expect(mail?.body).not.toContain('lwi_');
    expect(service.db.box.open(mail?.body ?? '', { purpose: 'mail', orgId, id: mail?.id ?? '' })).toMatch(
      /\/invitation#lwi_\w+/,
    );
    expect(text).not.toContain('lwi_');
    expect(await audited(data.userId)).toEqual([['user.invite', admin.email]]);
  });

  it('is sent another link while they have not answered; nobody else is', async () => {
    const { data } = await invite();
    const again = await consoleCallerOf('POST', `${PATH}/${data.userId}/invitation`, {});
    expect(again.data).toEqual(data);
    expect(await mailsTo(data.email)).toHaveLength(2);
    const links = await service.db.sql('select 1 from user_tokens where user_id = $1', [data.userId]);
    expect(links, 'the link before it is gone').toHaveLength(1);
    const active = await consoleCallerOf('POST', `${PATH}/${admin.userId}/invitation`, {});
    expect([active.status, active.reason]).toEqual([400, 'not_invited']);
  });

  it.each([
    [{ email: 'nobody' }, 'bad_format', '/email'],
    [{ email: undefined }, 'required', '/email'],
    [{ role: 'owner' }, 'not_allowed', '/role'],
    [{ status: 'active' }, 'unknown_field', '/status'],
  ])('is refused with %j', async (part, reason, path) => {
    const answer = await invite(part);
    expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([400, reason, path]);
  });

  it('is refused for an active member of this very organization', async () => {
    const answer = await invite({ email: admin.email });
    expect([answer.status, answer.reason]).toEqual([400, 'email_taken']);
  });
});

describe('where no mail leaves the installation, a link', () => {
  it('is given to the administrator who asks for it, and works; the one before it does not', async () => {
    const api = await startApi(service.db.database, { handsOverLinks: true });
    const call = <D = User>(path: string, body: object, headers: Record<string, string> = {}) =>
      api.call<D>('POST', path, body, undefined, headers);
    const invited = await call(PATH, { email: 'handed@test.example', role: 'viewer' }, admin.headers);
    expect(invited.data.link, invited.text).toMatch(/\/invitation#lwi_\w+$/);
    const again = await call(`${PATH}/${invited.data.userId}/invitation`, {}, admin.headers);
    const accept = (link: string | null | undefined) =>
      call('/v2/invitations/read', { token: link?.split('#')[1] ?? '' });
    expect((await accept(invited.data.link)).reason).toBe('link_invalid');
    expect((await accept(again.data.link)).status).toBe(200);
    expect((await consoleCallerOf('GET', `${PATH}/${invited.data.userId}`)).text).not.toContain('lwi_');
    await api.close();
  });

  it('is not kept in clear text for a request that is sent again', async () => {
    const api = await startApi(service.db.database, { handsOverLinks: true });
    const body = { email: 'twice@test.example', role: 'viewer' };
    const headers = { ...admin.headers, 'idempotency-key': 'invite-twice' };
    const [first, second] = [
      await api.call<User>('POST', PATH, body, undefined, headers),
      await api.call<User>('POST', PATH, body, undefined, headers),
    ];
    expect(second.data.link).toBe(first.data.link);
    const kept = await service.db.sql<{ body: string }>(
      'select body from idempotency_keys where org_id = $1 and key = $2',
      [orgId, 'invite-twice'],
    );
    expect(kept.map((row) => row.body.includes('lwi_'))).toEqual([false]);
    await api.close();
  });
});

describe('people are listed', () => {
  it('page by page, each once, and only those of the organization', async () => {
    await newPerson(service.db, (await newOrganization(service.db)).organization.orgId);
    const expected = [admin.userId];
    for (let i = 0; i < 4; i++) expected.push((await invite()).data.userId);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const path: string = `${PATH}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { data } = await consoleCallerOf<{ items: User[]; nextCursor: string | null }>('GET', path);
      seen.push(...data.items.map((user) => user.userId));
      cursor = data.nextCursor;
    } while (cursor !== null);
    expect([...seen].sort()).toEqual([...expected].sort());
  });

  it.each(['limit=0', 'cursor=abc', 'role=admin'])('is refused with ?%s', async (query) => {
    expect((await consoleCallerOf('GET', `${PATH}?${query}`)).code).toBe(1001);
  });
});

describe('a new role', () => {
  it('holds at once and signs the person out', async () => {
    const person = await newSession(service.db, orgId, { role: 'viewer' });
    expect(await statusFor(person)).toBe(200);
    const { data, text } = await consoleCallerOf('PATCH', `${PATH}/${person.userId}`, {
      role: 'quality',
      dailyDigest: true,
    });
    expect(data, text).toMatchObject({ role: 'quality', dailyDigest: true });
    const sessions = await service.db.sql('select 1 from sessions where user_id = $1', [person.userId]);
    expect(sessions).toEqual([]);
    const entries = await audited(person.userId);
    expect(entries).toContainEqual(['user.change_role', admin.email]);
    expect(entries).toContainEqual(['user.choose_digest', admin.email]);
  });

  it('is not given where it would leave no administrator', async () => {
    const answer = await consoleCallerOf('PATCH', `${PATH}/${admin.userId}`, { role: 'viewer' });
    expect([answer.status, answer.reason]).toEqual([400, 'last_administrator']);
    await newPerson(service.db, orgId, 'admin');
    expect((await consoleCallerOf('PATCH', `${PATH}/${admin.userId}`, { role: 'viewer' })).status).toBe(200);
  });

  it('leaves everything as it is when the body says nothing', async () => {
    const before = (await consoleCallerOf('GET', `${PATH}/${admin.userId}`)).data;
    expect((await consoleCallerOf('PATCH', `${PATH}/${admin.userId}`, {})).data).toEqual(before);
    expect(await statusFor(admin)).toBe(200);
  });
});

describe('a second factor', () => {
  const giveFactor = (userId: string) =>
    service.db.sql(
      "update accounts set totp_sealed = 'x', totp_confirmed_at = now() where email = (select email from users where user_id = $1)",
      [userId],
    );

  it('stays the user’s own: an administrator signs them out and has a link mailed, and removes nothing', async () => {
    const person = await newSession(service.db, orgId, { role: 'sales' });
    const path = `${PATH}/${person.userId}/reset-second-factor`;
    expect((await consoleCallerOf('POST', path, {})).reason).toBe('no_second_factor');
    await giveFactor(person.userId);
    expect((await consoleCallerOf('GET', `${PATH}/${person.userId}`)).data.secondFactor).toBe(true);
    expect((await consoleCallerOf('POST', path, {})).data).toMatchObject({ secondFactor: true });
    expect(await service.db.sql('select 1 from sessions where user_id = $1', [person.userId])).toEqual([]);
    expect(await mailsTo(person.email)).toHaveLength(1);
    expect(await audited(person.userId)).toContainEqual(['user.ask_second_factor_reset', admin.email]);
  });

  it('of oneself is not taken here: a session left open must not be enough', async () => {
    await giveFactor(admin.userId);
    const answer = await consoleCallerOf('POST', `${PATH}/${admin.userId}/reset-second-factor`, {});
    expect([answer.status, answer.reason]).toEqual([400, 'own_second_factor']);
    expect((await consoleCallerOf('GET', `${PATH}/${admin.userId}`)).data.secondFactor).toBe(true);
  });
});

describe('somebody removed', () => {
  it('has no session, link or password left; their name stays; they can be invited again', async () => {
    const person = await newSession(service.db, orgId, { role: 'warehouse' });
    const path = `${PATH}/${person.userId}`;
    expect((await consoleCallerOf('DELETE', path)).data).toMatchObject({
      email: person.email,
      status: 'removed',
    });
    const left = await service.db.sql(
      `select 1 from sessions where user_id = $1 union all select 1 from user_tokens where user_id = $1
       union all select 1 from accounts where email = $2`,
      [person.userId, person.email],
    );
    expect(left).toEqual([]);
    expect((await consoleCallerOf('DELETE', path)).reason).toBe('user_removed');
    expect((await consoleCallerOf('PATCH', path, { role: 'admin' })).reason).toBe('user_removed');
    const back = await invite({ email: person.email });
    expect(back.data).toMatchObject({ userId: person.userId, status: 'invited', role: 'sales' });
  });

  it('is never the last administrator, also when two are removed at once', async () => {
    const alone = await consoleCallerOf('DELETE', `${PATH}/${admin.userId}`);
    expect([alone.status, alone.reason]).toEqual([400, 'last_administrator']);
    const second = await newSession(service.db, orgId);
    const answers = await Promise.all([
      consoleCallerOf('DELETE', `${PATH}/${second.userId}`, undefined, admin),
      consoleCallerOf('DELETE', `${PATH}/${admin.userId}`, undefined, second),
    ]);
    const left = await service.db.sql(
      "select 1 from users where org_id = $1 and role = 'admin' and status = 'active'",
      [orgId],
    );
    expect(left).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });
});

it('people are changed by nobody but people at the console', async () => {
  const { userId } = await newPerson(service.db, orgId, 'viewer');
  const writes: [string, string, object?][] = [
    ['POST', PATH, { email: 'k@test.example', role: 'admin' }],
    ['PATCH', `${PATH}/${userId}`, { role: 'admin' }],
    ['POST', `${PATH}/${userId}/invitation`, {}],
    ['POST', `${PATH}/${userId}/reset-second-factor`, {}],
    ['DELETE', `${PATH}/${userId}`],
  ];
  for (const [method, path, body] of writes)
    expect(await service.call(method, path, body, org.key)).toMatchObject({
      status: 403,
      reason: 'console_only',
    });
});
