import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../test/harness/index.js';
import { putWarehouse } from '../catalogue/index.js';
import { statement, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { sealAllAudits, verifyAudit } from './index.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const columns = 'org_id, entry_id, at, actor, credential_id, action, entity_type, entity_id, position, hash';
const row = `$1, 'aud_forged_' || $2::text, now(), 'a', 'c', 'x', 'y', 'z', $2::bigint, repeat('f', 64)`;
const insertPlaced = statement(`insert into audit_entries (${columns}) values (${row})`);

const newOrgId = async () => (await newOrganization(db)).organization.orgId;
const write = (orgId: string, name: string) =>
  transact(db.database, systemPrincipal(orgId, 'clerk@test.example'), (tx) =>
    putWarehouse(tx, { code: 'W', name }),
  );
const unsealed = (orgId: string) =>
  db.sql('select 1 from audit_entries where org_id = $1 and position is null', [orgId]);

describe('the position of an audit entry', () => {
  it.each(['app', 'worker'] as const)('is not for the %s role to insert', async (as) => {
    const orgId = await newOrgId();
    const inserted = transact(
      db.database,
      systemPrincipal(orgId, 'clerk@test.example'),
      (tx) => tx.query(insertPlaced, [orgId, 1]),
      { as },
    );
    await expect(inserted).rejects.toThrow('permission denied');
  });
});

describe('an entry that was put into the chain past the sealer', () => {
  it.each([
    ['where the next one belongs', 1, 'entry_changed'],
    ['beyond the end', 5_000, 'entry_missing'],
    ['at the last position there is', '9223372036854775807', 'entry_missing'],
  ])('%s: the others are sealed nevertheless, and verification names it', async (_where, ahead, reason) => {
    const orgId = await newOrgId();
    await sealAllAudits(db.database);
    const [head] = await db.sql<{ position: string }>('select position from audit_heads where org_id = $1', [
      orgId,
    ]);
    const next = Number(head?.position) + 1;
    await db.sql(insertPlaced.text, [orgId, ahead === 1 ? next : ahead]);
    for (let i = 0; i < 3; i++) await write(orgId, `name ${i}`);
    await sealAllAudits(db.database);
    expect(await unsealed(orgId)).toEqual([]);
    const verdict = await verifyAudit(db.database, orgId);
    expect(verdict).toMatchObject({ ok: false, firstDifference: { reason } });
  });
});
