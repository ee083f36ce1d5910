import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestService, type TestOrganization } from '../../test/harness/index.js';
import { sealAudit } from './seal-audit.js';

interface Verification {
  status: 'intact' | 'broken' | 'incomplete';
  verifiedEntries: number;
  verifiedHash: string;
  chainLength: number;
  firstDifference: { position: number; entryId: string | null; reason: string; message: string } | null;
  nextCursor: string | null;
}

const PATH = '/v2/audit/verification';
const PER_CALL = 10_000;

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

const verify = (key: string, query: Record<string, string> = {}) =>
  service.call<Verification>('GET', `${PATH}?${new URLSearchParams(query)}`, undefined, key);

/** An organization of its own with this many sealed entries. */
async function sealed(count: number): Promise<TestOrganization & { orgId: string }> {
  const made = await newOrganization(service.db);
  const { orgId } = made.organization;
  const [{ n } = { n: 0 }] = await service.db.sql<{ n: number }>(
    'select count(*)::integer as n from audit_entries where org_id = $1',
    [orgId],
  );
  await service.db.sql(
    `insert into audit_entries (org_id, entry_id, at, actor, credential_id, action, entity_type, entity_id, after)
     select $1, 'aud_' || lpad(i::text, 26, '0'), now(), 'clerk@test.example', 'key', 'product.put', 'product', 'P-' || i,
       jsonb_build_object('n', i)
     from generate_series(1, $2) i`,
    [orgId, count - n],
  );
  await sealAudit(service.db.database, orgId);
  return { ...made, orgId };
}
const headOf = async (key: string) =>
  (await service.call<{ position: number; hash: string }>('GET', '/v2/audit/head', undefined, key)).data;
const entryAt = async (orgId: string, position: number) =>
  (
    await service.db.sql<{ id: string }>(
      'select entry_id as id from audit_entries where org_id = $1 and position = $2',
      [orgId, position],
    )
  )[0]?.id;

describe('the audit chain, verified over the API', () => {
  it('is intact up to its head', async () => {
    const { key } = await sealed(20);
    const { hash } = await headOf(key);
    expect((await verify(key)).data).toEqual({
      status: 'intact',
      verifiedEntries: 20,
      verifiedHash: hash,
      chainLength: 20,
      firstDifference: null,
      nextCursor: null,
    });
  });

  it('is intact where nothing was sealed yet', async () => {
    const { key } = await newOrganization(service.db);
    expect((await verify(key)).data).toMatchObject({ status: 'intact', verifiedEntries: 0 });
  });

  it('names the entry that was changed behind its back', async () => {
    const { key, orgId } = await sealed(20);
    await service.db.sql(
      `update audit_entries set after = '{"forged": true}' where org_id = $1 and position = 7`,
      [orgId],
    );
    expect((await verify(key)).data).toMatchObject({
      status: 'broken',
      verifiedEntries: 6,
      firstDifference: {
        position: 7,
        entryId: await entryAt(orgId, 7),
        reason: 'entry_changed',
        message: 'the entry is not what was sealed',
      },
      nextCursor: null,
    });
  });

  it('names the place of an entry that was deleted, and of an end that was cut off', async () => {
    const { key, orgId } = await sealed(20);
    await service.db.sql('delete from audit_entries where org_id = $1 and position > 18', [orgId]);
    const cut = (await verify(key)).data;
    expect(cut.firstDifference).toMatchObject({ position: 19, entryId: null, reason: 'chain_cut' });
    await service.db.sql('delete from audit_entries where org_id = $1 and position = 4', [orgId]);
    const gap = (await verify(key)).data;
    expect(gap.firstDifference).toMatchObject({ position: 4, entryId: null, reason: 'entry_missing' });
  });

  it('with a head noted earlier notices an end cut off together with its head', async () => {
    const { key, orgId } = await sealed(20);
    const { hash } = await headOf(key);
    expect((await verify(key, { expectHead: hash })).data.status).toBe('intact');
    await service.db.sql('delete from audit_entries where org_id = $1 and position > 15', [orgId]);
    await service.db.sql(
      `update audit_heads h set position = 15, hash = (
         select hash from audit_entries a where a.org_id = $1 and a.position = 15) where h.org_id = $1`,
      [orgId],
    );
    expect((await verify(key)).data.status).toBe('intact');
    expect((await verify(key, { expectHead: hash })).data).toMatchObject({
      status: 'broken',
      firstDifference: { position: 16, reason: 'expected_head_missing' },
    });
  });

  it('of many entries is verified a bounded number a call, and continued where it stopped', async () => {
    const { key, orgId } = await sealed(PER_CALL + 500);
    const { hash } = await headOf(key);
    const first = (await verify(key)).data;
    expect(first).toMatchObject({
      status: 'incomplete',
      verifiedEntries: PER_CALL,
      chainLength: PER_CALL + 500,
    });
    const cursor = first.nextCursor ?? '';
    expect((await verify(key, { cursor })).data).toMatchObject({
      status: 'intact',
      verifiedEntries: PER_CALL + 500,
      verifiedHash: hash,
    });
    // Several at once wait for each other, and too many are asked to come back.
    const answers = await Promise.all(Array.from({ length: 12 }, () => verify(key)));
    const busy = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
    expect(busy.length).toBeGreaterThan(0);
    expect([busy[0]?.reason, busy[0]?.headers.get('retry-after')]).toEqual(['verification_busy', '2']);
    expect((await verify(key)).status).toBe(200);

    const last = PER_CALL + 400;
    await service.db.sql("update audit_entries set actor = 'x' where org_id = $1 and position = $2", [
      orgId,
      last,
    ]);
    expect((await verify(key, { cursor })).data.firstDifference).toMatchObject({ position: last });
    // A cursor of a walk that looked for no head says nothing about one.
    expect(await verify(key, { cursor, expectHead: hash })).toMatchObject({
      status: 400,
      reason: 'bad_cursor',
    });
  });

  it('is one organization’s own, and open only to a credential with audit:read', async () => {
    const broken = await sealed(20);
    await service.db.sql("update audit_entries set actor = 'x' where org_id = $1 and position = 2", [
      broken.orgId,
    ]);
    const { key, newKey } = await sealed(15);
    expect((await verify(key)).data).toMatchObject({ status: 'intact', verifiedEntries: 15 });
    const { apiKey } = await newKey({ scopes: ['settings:read'] });
    expect((await verify(apiKey)).code).toBe(1003);
    expect((await service.api.call('GET', PATH)).code).toBe(1002);
  });

  it.each([
    [{ expectHead: 'abc' }, 'bad_format'],
    [{ cursor: 'zzz' }, 'bad_cursor'],
    [{ cursor: Buffer.from('["audit-verification","-1","0","",""]').toString('base64url') }, 'bad_cursor'],
    [{ from: '1' }, 'unknown_parameter'],
  ])('refuses %j', async (query, reason) => {
    const { key } = service.org;
    expect(await verify(key, query as unknown as Record<string, string>)).toMatchObject({
      status: 400,
      reason,
    });
  });
});
