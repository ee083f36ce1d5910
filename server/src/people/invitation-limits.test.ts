import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  newOrganization,
  newSession,
  openTestService,
  type TestOrganization,
  type TestSession,
} from '../../test/harness/index.js';
import { updateOrganization } from '../organizations/index.js';

const PATH = '/v2/settings/users';
const HOUR = 3_600_000;
let service: Awaited<ReturnType<typeof openTestService>>;
let org: TestOrganization;
let admin: TestSession;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  org = await newOrganization(service.db);
  admin = await newSession(service.db, org.organization.orgId);
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: object, by = admin) =>
  service.api.call<{ userId: string }>(method, path, body, undefined, by.headers);
const mailsTo = (email: string) =>
  service.db.sql<{ id: string; subject: string; body: string }>(
    'select mail_id as id, subject, body from mails where $1 = any(recipients) order by mail_id',
    [email],
  );
const freshAdmin = async () => {
  admin = await newSession(service.db, org.organization.orgId);
};

it('a stranger gets five invitations a day and twelve a month at most, however they are asked for', async () => {
  const email = 'stranger@elsewhere.example';
  const invitation = { email, role: 'viewer' };
  const { userId } = (await call('POST', PATH, invitation)).data;
  const ways = [
    () => call('POST', `${PATH}/${userId}/invitation`, {}),
    () => call('POST', PATH, invitation),
    async () => {
      await call('DELETE', `${PATH}/${userId}`);
      return call('POST', PATH, invitation);
    },
  ];
  const statuses = [];
  for (let i = 0; i < 9; i++) statuses.push((await ways[i % 3]?.())?.status);
  expect(statuses.slice(0, 4)).toEqual([200, 200, 200, 200]);
  expect(statuses.slice(4)).not.toContain(200);
  const refused = await call('POST', PATH, invitation);
  expect([refused.reason, refused.headers.get('retry-after')]).toEqual(['too_many_invitations', '3600']);
  // Two at once do not get further than one after the other; nor does another process.
  service.db.clock.advance(25 * HOUR);
  await freshAdmin();
  const together = await Promise.all(Array.from({ length: 9 }, () => call('POST', PATH, invitation)));
  expect(together.filter(({ status }) => status === 200)).toHaveLength(5);
  for (let day = 0; day < 3; day++) {
    service.db.clock.advance(25 * HOUR);
    await freshAdmin();
    await call('POST', PATH, invitation);
    await call('POST', PATH, invitation);
  }
  expect(await mailsTo(email)).toHaveLength(12);
  // Strangers are not harmed by what one of them got.
  expect((await call('POST', PATH, { ...invitation, email: 'other@elsewhere.example' })).status).toBe(200);
});

it('somebody who types the address of an invited person does not use up the invitations of administrators', async () => {
  const email = 'waiting@elsewhere.example';
  const { userId } = (await call('POST', PATH, { email, role: 'viewer' })).data;
  for (let i = 0; i < 8; i++) {
    service.db.clock.advance(21 * 60_000);
    await service.api.call('POST', '/v2/password-resets', { email });
  }
  expect(await mailsTo(email)).toHaveLength(3);
  await freshAdmin();
  expect((await call('POST', `${PATH}/${userId}/invitation`, {})).status).toBe(200);
});

it('an organization mails 200 invitations a day at most', async () => {
  const large = await newOrganization(service.db);
  const { orgId } = large.organization;
  const boss = await newSession(service.db, orgId);
  await service.db.sql(
    `insert into mails (org_id, mail_id, dedupe_key, recipients, subject, body, created_at, sent_at)
     select $1, 'eml_' || i, 'invitation:usr_' || i || ':x', '{a@b.example}', 'x', 'x', $2, $2 from generate_series(1, 199) i`,
    [orgId, service.db.clock.now()],
  );
  const invite = (email: string) => call('POST', PATH, { email, role: 'viewer' }, boss);
  expect((await invite('n200@elsewhere.example')).status).toBe(200);
  expect((await invite('n201@elsewhere.example')).reason).toBe('too_many_invitations');
  // Nobody was created for a mail that was not sent.
  const created = await service.db.sql(`select 1 from users where email = 'n201@elsewhere.example'`);
  expect(created).toEqual([]);
});

it('the name of an organization brings no link, line break or invisible text into a mail', async () => {
  const bad = await newOrganization(service.db);
  const { orgId } = bad.organization;
  const name =
    'Win a prize at https://evil.example/x or evil.example, www.evil。com, 192.0.2.1/x, call@evil.example javascript:alert\u202e\u200b';
  await updateOrganization(service.db.database, 'operator@test.example', orgId, { name });
  const boss = await newSession(service.db, orgId);
  const email = 'victim@elsewhere.example';
  expect((await call('POST', PATH, { email, role: 'viewer' }, boss)).status).toBe(200);
  const [mail] = await mailsTo(email);
  const text = service.db.box.open(mail?.body ?? '', { purpose: 'mail', orgId, id: mail?.id ?? '' });
  const lines = text.split('\n');
  for (const line of [mail?.subject ?? '', lines[0] ?? '']) {
    expect(line).toContain('Win a prize at https[:]//evil[.]example/x or evil[.]example');
    expect(line).not.toMatch(/:\/\/|\w[.。]\p{L}{2}|192\.0|l@e|t:a|[\p{Cf}\p{Cc}]/u);
  }
  // The only link is ours.
  expect(text.match(/\w+:\/\/\S+/g)).toEqual([expect.stringContaining('/invitation#lwi_')]);
  expect(lines).toHaveLength(6);
});
