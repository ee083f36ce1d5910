import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, sized, type TestDatabase } from '../../test/harness/index.js';
import { putWarehouse } from '../catalogue/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { sealAllAudits, verifyAudit } from './index.js';
import { sealAudit } from './seal-audit.js';

interface Row {
  entryId: string;
  position: number;
  hash: string;
}

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const write = (orgId: string, name: string) =>
  transact(db.database, systemPrincipal(orgId, 'clerk@test.example'), (tx) =>
    putWarehouse(tx, { code: 'W', name }),
  );
const chainOf = (orgId: string) =>
  db.sql<Row>(
    `select entry_id as "entryId", position::integer, hash from audit_entries
     where org_id = $1 and position is not null order by position`,
    [orgId],
  );

/** An organization whose chain has at least eight sealed entries. */
async function sealedOrganization() {
  const { organization } = await newOrganization(db);
  const { orgId } = organization;
  for (let i = 0; i < 8; i++) await write(orgId, `name ${i}`);
  await sealAudit(db.database, orgId);
  const chain = await chainOf(orgId);
  const entry = (position: number): Row => {
    const row = chain[position - 1];
    if (!row) throw new Error(`the chain has no position ${position}`);
    return row;
  };
  const before = await verifyAudit(db.database, orgId);
  expect(before).toEqual({
    ok: true,
    entries: chain.length,
    head: chain.at(-1)?.hash,
    firstDifference: null,
  });
  return { orgId, entry, last: chain.length, head: before.head };
}
type Sealed = Awaited<ReturnType<typeof sealedOrganization>>;

describe('an audit chain that was tampered with is found broken at its first broken entry', () => {
  const changed: [what: string, tamper: string][] = [
    ['after', `after = jsonb_set(after, '{name}', '"forged"')`],
    ['before', `before = '{"forged": true}'`],
    ['actor', `actor = 'somebody@else.example'`],
    ['instant', `at = (at at time zone 'UTC' + interval '1 microsecond') at time zone 'UTC'`],
    ['reason', `reason = 'forged'`],
    ['credential', `credential_id = 'forged'`],
    ['request', `request_id = 'forged'`],
    ['action', `action = 'forged'`],
    ['entity', `entity_id = 'forged'`],
    ['hash', `hash = repeat('f', 64)`],
  ];
  it.each(changed)('the %s of one entry was changed', async (_what, tamper) => {
    const { orgId, entry } = await sealedOrganization();
    await db.sql(`update audit_entries set ${tamper} where org_id = $1 and position = 5`, [orgId]);
    expect(await verifyAudit(db.database, orgId)).toMatchObject({
      ok: false,
      entries: 4,
      firstDifference: {
        position: 5,
        entryId: entry(5).entryId,
        problem: 'the entry is not what was sealed',
      },
    });
  });

  it('the changed entry was sealed again, but not those after it', async () => {
    const { orgId, entry } = await sealedOrganization();
    await db.sql(
      `update audit_entries set actor = 'x', hash = null, position = null where org_id = $1 and position = 5`,
      [orgId],
    );
    expect((await verifyAudit(db.database, orgId)).firstDifference).toEqual({
      position: 5,
      entryId: null,
      reason: 'entry_missing',
      problem: 'an entry is missing',
    });
    // Sealing goes on, and does not hide it.
    await sealAllAudits(db.database);
    expect((await verifyAudit(db.database, orgId)).firstDifference).toMatchObject({ position: 5 });
    expect(entry(5).position).toBe(5);
  });

  it('an entry in the middle was deleted', async () => {
    const { orgId } = await sealedOrganization();
    await db.sql('delete from audit_entries where org_id = $1 and position = 4', [orgId]);
    expect((await verifyAudit(db.database, orgId)).firstDifference).toEqual({
      position: 4,
      entryId: null,
      reason: 'entry_missing',
      problem: 'an entry is missing',
    });
  });

  it('an entry in the middle was deleted and the rest moved up', async () => {
    const { orgId, entry } = await sealedOrganization();
    await db.sql('delete from audit_entries where org_id = $1 and position = 4', [orgId]);
    await db.sql('update audit_entries set position = -position where org_id = $1 and position > 4', [orgId]);
    await db.sql('update audit_entries set position = -position - 1 where org_id = $1 and position < 0', [
      orgId,
    ]);
    expect((await verifyAudit(db.database, orgId)).firstDifference).toMatchObject({
      position: 4,
      entryId: entry(5).entryId,
    });
  });

  it('two entries changed places', async () => {
    const { orgId, entry } = await sealedOrganization();
    const [a, b] = [entry(3), entry(4)];
    await db.sql('update audit_entries set position = -1 where org_id = $1 and position = 3', [orgId]);
    for (const [row, position] of [
      [b, 3],
      [a, 4],
    ] as const) {
      await db.sql('update audit_entries set position = $3, hash = $4 where org_id = $1 and entry_id = $2', [
        orgId,
        row.entryId,
        position,
        position === 3 ? a.hash : b.hash,
      ]);
    }
    expect((await verifyAudit(db.database, orgId)).firstDifference).toMatchObject({
      position: 3,
      entryId: b.entryId,
    });
  });

  it('the first entry was deleted', async () => {
    const { orgId } = await sealedOrganization();
    await db.sql('delete from audit_entries where org_id = $1 and position = 1', [orgId]);
    expect((await verifyAudit(db.database, orgId)).firstDifference).toMatchObject({
      position: 1,
      entryId: null,
    });
  });
});

describe('an audit chain whose end was cut off', () => {
  const cut = ({ orgId, last }: Sealed) =>
    db.sql('delete from audit_entries where org_id = $1 and position > $2', [orgId, last - 2]);
  const cutHead = ({ orgId, last, entry }: Sealed) =>
    db.sql('update audit_heads set position = $2, hash = $3 where org_id = $1', [
      orgId,
      last - 2,
      entry(last - 2).hash,
    ]);

  it('is noticed by the head', async () => {
    const organization = await sealedOrganization();
    await cut(organization);
    expect((await verifyAudit(db.database, organization.orgId)).firstDifference).toEqual({
      position: organization.last - 1,
      entryId: null,
      reason: 'chain_cut',
      problem: `the chain should reach position ${organization.last}`,
    });
  });

  it('is noticed by the head although writing and sealing went on', async () => {
    const organization = await sealedOrganization();
    await cut(organization);
    await write(organization.orgId, 'later');
    await sealAllAudits(db.database);
    expect((await verifyAudit(db.database, organization.orgId)).firstDifference).toMatchObject({
      position: organization.last - 1,
      problem: 'an entry is missing',
    });
  });

  it('is noticed by the head noted elsewhere when the head was cut too, also after more was sealed', async () => {
    const organization = await sealedOrganization();
    const { orgId, last, head } = organization;
    await cut(organization);
    await cutHead(organization);
    expect((await verifyAudit(db.database, orgId)).ok).toBe(true);
    const missing = { entryId: null, problem: 'the expected head is not in the chain' };
    expect(await verifyAudit(db.database, orgId, head)).toMatchObject({
      ok: false,
      firstDifference: { ...missing, position: last - 1 },
    });
    for (let i = 0; i < 3; i++) await write(orgId, `later ${i}`);
    expect(await verifyAudit(db.database, orgId, head)).toMatchObject({
      ok: false,
      firstDifference: missing,
    });
  });

  it('is not suspected while the noted head is anywhere in the chain', async () => {
    const { orgId, entry, head } = await sealedOrganization();
    await write(orgId, 'later');
    for (const noted of ['0'.repeat(64), entry(1).hash, entry(4).hash, head])
      expect((await verifyAudit(db.database, orgId, noted)).ok).toBe(true);
  });
});

describe('an audit head that does not stand at the end of its chain is found', () => {
  it.each([
    ['was set back', 'update audit_heads set position = 3, hash = $2 where org_id = $1', 4],
    ['was removed', 'delete from audit_heads where org_id = $1 and $2::text is not null', 1],
  ])('it %s', async (_what, tamper, position) => {
    const { orgId, entry } = await sealedOrganization();
    await db.sql(tamper, [orgId, entry(3).hash]);
    await write(orgId, 'not sealed yet');
    expect(await verifyAudit(db.database, orgId)).toMatchObject({ ok: false, firstDifference: { position } });
  });

  it('it has another hash', async () => {
    const { orgId, last } = await sealedOrganization();
    await db.sql(`update audit_heads set hash = repeat('e', 64) where org_id = $1`, [orgId]);
    expect((await verifyAudit(db.database, orgId)).firstDifference).toMatchObject({
      position: last,
      problem: 'the head is not the end of the chain',
    });
  });
});

describe('sealing', () => {
  it('gives entries their place after the fact, and a verification takes in what was not sealed yet', async () => {
    const { orgId, last } = await sealedOrganization();
    await write(orgId, 'not sealed yet');
    expect(await chainOf(orgId)).toHaveLength(last);
    expect(await verifyAudit(db.database, orgId)).toMatchObject({ ok: true, entries: last + 1 });
    expect(await chainOf(orgId)).toHaveLength(last + 1);
    expect(await sealAudit(db.database, orgId)).toBe(0);
  });

  it('of one organization that cannot go on says so, and does not keep the others waiting', async () => {
    const organizations = [
      await sealedOrganization(),
      await sealedOrganization(),
      await sealedOrganization(),
    ];
    for (const { orgId } of organizations) await write(orgId, 'waiting');
    const [first, broken, third] = organizations.map(({ orgId }) => orgId).sort();
    await db.sql('delete from audit_heads where org_id = $1', [broken]);
    await expect(sealAllAudits(db.database)).rejects.toThrow('could not be sealed');
    const waiting = await db.sql<{ id: string }>(
      'select org_id as id from audit_entries where position is null and org_id = any($1)',
      [[first, broken, third]],
    );
    expect(waiting).toEqual([{ id: broken }]);
  });

  it('covers more than one batch in a turn', async () => {
    const { organization } = await newOrganization(db);
    await db.sql(
      `insert into audit_entries (org_id, entry_id, at, actor, credential_id, action, entity_type, entity_id)
       select $1, 'aud_' || lpad(i::text, 26, '0'), now(), 'a@b.example', 'system', 'test', 'test', i::text
       from generate_series(1, 2500) i`,
      [organization.orgId],
    );
    expect(await sealAudit(db.database, organization.orgId)).toBeGreaterThanOrEqual(2_500);
    expect((await verifyAudit(db.database, organization.orgId)).ok).toBe(true);
  });

  it('by four at once with writers running leaves no gap, and verifying beside them raises no alarm', async () => {
    const { organization } = await newOrganization(db);
    const { orgId } = organization;
    const others = [db.database, await db.another(), await db.another(), await db.another()];
    const writes = sized(60, 400);
    let writing = true;
    const writers = Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let i = 0; i < writes; i++) {
          await transact(db.database, systemPrincipal(orgId, 'clerk@test.example'), (tx) =>
            putWarehouse(tx, { code: `W${writer}`, name: `name ${i}` }),
          );
        }
      }),
    ).finally(() => {
      writing = false;
    });
    let sealed = 0;
    const sealers = others.map(async (database) => {
      while (writing) sealed += await sealAudit(database, orgId);
    });
    let verified = 0;
    const verifier = async () => {
      while (writing) {
        expect((await verifyAudit(db.database, orgId)).firstDifference).toBeNull();
        verified++;
      }
    };
    await Promise.all([writers, ...sealers, verifier()]);
    await sealAudit(db.database, orgId);
    const chain = await chainOf(orgId);
    expect(chain.map((row) => row.position)).toEqual(chain.map((_, i) => i + 1));
    expect(chain.length).toBeGreaterThanOrEqual(6 * writes);
    const [left] = await db.sql<{ count: number }>(
      'select count(*)::integer as count from audit_entries where org_id = $1 and position is null',
      [orgId],
    );
    expect(left).toEqual({ count: 0 });
    expect(await verifyAudit(db.database, orgId)).toMatchObject({ ok: true, entries: chain.length });
    expect(verified).toBeGreaterThan(0);
    console.log(
      `sealing: ${chain.length} entries by 4 sealers (${sealed} in turns), ${verified} verifications beside`,
    );
  }, 120_000);
});
