import { afterAll, beforeAll, expect, it } from 'vitest';
import { withinAccount } from '../../src/people/account.store.js';
import { statement, type Tx, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { newPerson } from '../access/people.js';
import {
  newOrganization,
  openTestDatabase,
  type TestDatabase,
  type TestOrganization,
} from '../harness/index.js';

let db: TestDatabase;
let ours: TestOrganization;
let theirs: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase();
  [ours, theirs] = [await newOrganization(db), await newOrganization(db)];
});
afterAll(() => db.close());

const FORBIDDEN = { code: '42501' };
const inOurs = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(db.database, systemPrincipal(ours.organization.orgId, 'admin@test.example'), work);
const readAll = (tx: Tx) =>
  tx.query(statement('select email from accounts where password_hash is not null'), []);

it('a transaction of an organization reads no password, not even of its own people, unless it enters the account', async () => {
  const { email } = await newPerson(db, ours);
  await newPerson(db, theirs);
  expect(await inOurs(readAll)).toEqual([]);
  const seen = await inOurs(async (tx) => [
    await withinAccount(tx, email, () => readAll(tx)),
    await readAll(tx),
    await withinAccount(tx, email, () => Promise.reject(new Error('refused'))).catch(() => readAll(tx)),
  ]);
  expect(seen).toEqual([[{ email }], [], []]);
});

it('an organization sees and makes only memberships in itself', async () => {
  const orgs = statement('select distinct org_id as "orgId" from account_memberships');
  expect(await inOurs((tx) => tx.query(orgs, []))).toEqual([{ orgId: ours.organization.orgId }]);
  const make = statement(
    "insert into account_memberships values ('a@b.example', $1, 'usr_1', 'invited', null)",
  );
  await expect(inOurs((tx) => tx.query(make, [theirs.organization.orgId]))).rejects.toMatchObject(FORBIDDEN);
  const remove = statement('delete from account_memberships where org_id = $1 returning 1');
  const { email } = await newPerson(db, theirs);
  const removed = await inOurs((tx) =>
    withinAccount(tx, email, () => tx.query(remove, [theirs.organization.orgId])),
  );
  expect(removed).toEqual([]);
});

it('an active membership has an account, whose second factor and name it shows; an invitation needs none', async () => {
  const { email } = await newPerson(db, ours);
  const shown = () =>
    db.sql('select second_factor as "hasFactor", name from account_memberships where email = $1', [email]);
  await db.sql(
    "update accounts set totp_sealed = 'x', totp_confirmed_at = now(), name = 'Ann' where email = $1",
    [email],
  );
  expect(await shown()).toEqual([{ hasFactor: true, name: 'Ann' }]);
  await db.sql(
    "update accounts set totp_sealed = null, totp_confirmed_at = null, name = '' where email = $1",
    [email],
  );
  expect(await shown()).toEqual([{ hasFactor: false, name: '' }]);
  await expect(
    db.sql("update account_memberships set name = 'Else' where email = $1", [email]),
  ).rejects.toThrow('account_memberships_account_fkey');
  await expect(db.sql('delete from accounts where email = $1', [email])).rejects.toThrow(
    'account_memberships_account_fkey',
  );
  await expect(
    db.sql("insert into account_memberships values ('x@y.example', 'org_1', 'usr_1', 'active', false)"),
  ).rejects.toThrow('account_memberships_account_fkey');
});
