import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CITUS_URL } from '../../test/harness/cluster.js';
import { newOrganization, openTestDatabase, startApi, type TestDatabase } from '../../test/harness/index.js';
import { createUser } from '../people/index.js';
import { type Tx, transact } from '../platform/database/index.js';
import { ApiError } from '../platform/errors/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { createKey, revokeKey, rotateKey } from './index.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const during = <T>(orgId: string, work: (tx: Tx) => Promise<T>) =>
  transact(db.database, systemPrincipal(orgId, 'operator@test.example'), work);

async function opened(input: Parameters<typeof newOrganization>[1] = {}) {
  const made = await newOrganization(db, input);
  const { orgId } = made.organization;
  return {
    ...made,
    orgId,
    create: (given: Partial<Parameters<typeof createKey>[1]>) =>
      during(orgId, (tx) => createKey(tx, { name: 'test', scopes: ['products:read'], ...given })),
    user: (email: string, role: 'admin' | 'viewer') => during(orgId, (tx) => createUser(tx, { email, role })),
  };
}

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`not refused: ${error}`);
  return { kind: error.kind, reason: error.issues[0]?.reason, path: error.issues[0]?.path };
};

/** Observes and refuses writes with triggers, which a cluster does not take. */
const onPlain = it.skipIf(CITUS_URL);

describe('the secret of a key', () => {
  it('is never stored in the database, before or after use, rotation and revocation', async () => {
    const { create, orgId } = await opened();
    const made = await create({ owner: 'owner@test.example' });
    const api = await startApi(db.database);
    expect((await api.call('GET', '/v2/products', undefined, made.apiKey)).status).toBe(200);
    const next = await during(orgId, (tx) => rotateKey(tx, made.keyId, 60));
    await during(orgId, (tx) => revokeKey(tx, made.keyId));
    await api.close();
    const tables = await db.sql<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    expect(tables.length).toBeGreaterThan(15);
    const holding = async (text: string) => {
      const found: string[] = [];
      for (const { name } of tables) {
        const [row] = await db.sql<{ n: number }>(
          `select count(*)::int as n from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0`,
          [text, Buffer.from(text).toString('hex')],
        );
        if ((row?.n ?? 0) > 0) found.push(name);
      }
      return found;
    };
    for (const { secret, apiKey } of [made, next]) {
      expect(await holding(secret)).toEqual([]);
      expect(await holding(apiKey)).toEqual([]);
    }
    expect(await holding(made.keyId), 'the search finds what is there').toContain('lotward.api_keys');
  });
});

/** Makes the database unreachable, as if its server were gone, until the work is done. */
async function whileUnreachable(away: TestDatabase, work: () => Promise<void>): Promise<void> {
  const name = new URL(away.url).pathname.slice(1);
  const hidden = `${name}_away`;
  await db.sql(`alter database ${name} allow_connections false`);
  await db.sql('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await expect
    .poll(() => db.sql('select 1 from pg_stat_activity where datname = $1', [name]), { timeout: 30_000 })
    .toEqual([]);
  await db.sql(`alter database ${name} rename to ${hidden}`);
  await work().finally(async () => {
    await db.sql(`alter database ${hidden} rename to ${name}`);
    await db.sql(`alter database ${name} allow_connections true`);
  });
}

describe('a mistyped key', () => {
  it('is refused even while the database is down', async () => {
    const away = await openTestDatabase();
    const { key } = await newOrganization(away);
    const api = await startApi(away.database);
    await whileUnreachable(away, async () => {
      const mistyped = await api.call('GET', '/v2/whoami', undefined, `${key.slice(0, -1)}_`);
      expect([mistyped.status, mistyped.code]).toEqual([401, 1002]);
      const good = await api.call('GET', '/v2/whoami', undefined, key);
      expect([good.status, good.code, good.headers.get('retry-after')]).toEqual([500, 9999, '1']);
    });
    await api.close();
    await away.drop();
  });
});

/** Notes each statement that writes how credentials are used. */
async function noteWrites(): Promise<() => Promise<string[]>> {
  await db.sql(`
    create table writes_noted (name text);
    create function note_write() returns trigger language plpgsql security definer as $$
      begin insert into lotward.writes_noted values (tg_table_name); return null; end $$;
    create trigger note_write after update on api_keys for each statement execute function note_write();
    create trigger note_write after insert on credential_usage for each statement execute function note_write()`);
  return async () =>
    (await db.sql<{ name: string }>('select name from writes_noted order by name')).map(({ name }) => name);
}

describe('the last use of a key', () => {
  onPlain('is written once for many requests, at the latest on closing', async () => {
    const { key, keyId, newKey } = await opened();
    const unused = await newKey();
    const api = await startApi(await db.another());
    const writes = await noteWrites();
    const lastUse = async (id: string) => {
      const rows = await db.sql<{ at: Date | null }>(
        'select last_used_at as at from api_keys where key_id = $1',
        [id],
      );
      return rows[0]?.at ?? null;
    };
    for (let i = 0; i < 30; i++) await api.call('GET', '/v2/whoami', undefined, key);
    const usedAt = db.clock.now();
    db.clock.advance(5_000);
    expect(await writes()).toEqual([]);
    expect(await lastUse(keyId)).toBeNull();
    await api.close();
    expect(await writes(), 'one for the last use, one for the count').toEqual([
      'api_keys',
      'credential_usage',
    ]);
    expect(await lastUse(keyId), 'when it was used, not when it was written').toEqual(usedAt);
    expect(await lastUse(unused.keyId)).toBeNull();
    await db.sql(`
      drop trigger note_write on api_keys; drop trigger note_write on credential_usage;
      drop function note_write; drop table writes_noted`);
  });

  it('never moves back when an idle process writes later', async () => {
    const { key, keyId } = await opened();
    const slow = await startApi(await db.another());
    await slow.call('GET', '/v2/whoami', undefined, key);
    db.clock.advance(60_000);
    const quick = await startApi(await db.another());
    await quick.call('GET', '/v2/whoami', undefined, key);
    await quick.close();
    await slow.close();
    const [row] = await db.sql<{ at: Date }>('select last_used_at as at from api_keys where key_id = $1', [
      keyId,
    ]);
    expect(row?.at).toEqual(db.clock.now());
  });

  onPlain('that cannot be written fails no request', async () => {
    const { key, keyId } = await opened();
    await db.sql(`
      create function refuse_write() returns trigger language plpgsql as $$ begin raise 'no space left'; end $$;
      create trigger refuse_write before update on api_keys execute function refuse_write()`);
    const api = await startApi(await db.another());
    expect((await api.call('GET', '/v2/whoami', undefined, key)).status).toBe(200);
    await api.close();
    const [row] = await db.sql('select last_used_at from api_keys where key_id = $1', [keyId]);
    expect(row, 'the write did fail').toEqual({ last_used_at: null });
    await db.sql('drop trigger refuse_write on api_keys; drop function refuse_write');
  });
});

describe('the owner of a key', () => {
  it('is the one given, else the first administrator, else the fallback, else it must be given', async () => {
    const { create, user } = await opened();
    const owner = async (given: Parameters<typeof create>[0]) => (await create(given)).key.owner;
    const fallbackOwner = 'fallback@test.example';
    expect(await refusal(create({}))).toEqual({ kind: 'invalid', reason: 'owner_required', path: '/owner' });
    expect(await refusal(create({ owner: '' }))).toMatchObject({ reason: 'owner_required' });
    expect(await refusal(create({ fallbackOwner: null }))).toMatchObject({ reason: 'owner_required' });
    expect(await owner({ fallbackOwner })).toBe(fallbackOwner);
    await user('viewer@owners.example', 'viewer');
    expect(await owner({ fallbackOwner }), 'only administrators answer for keys').toBe(fallbackOwner);
    await user('first@owners.example', 'admin');
    db.clock.advance(1);
    await user('another@owners.example', 'admin');
    expect(await owner({ fallbackOwner })).toBe('first@owners.example');
    expect(await owner({ owner: 'given@test.example', fallbackOwner })).toBe('given@test.example');
  });

  it('is one e-mail address in any spelling, and must be valid', async () => {
    const { create } = await opened();
    expect((await create({ owner: 'Jo.Doe@Test.Example' })).key.owner).toBe('jo.doe@test.example');
    expect((await create({ fallbackOwner: 'Ops@Test.Example' })).key.owner).toBe('ops@test.example');
    expect(await refusal(create({ owner: 'nobody' }))).toMatchObject({ reason: 'bad_email', path: '/owner' });
  });

  it('is the actor of everything the key does', async () => {
    const { create } = await opened();
    const { apiKey } = await create({ owner: 'actor@test.example', scopes: [] });
    const api = await startApi(db.database);
    const me = await api.call<{ actor: string }>('GET', '/v2/whoami', undefined, apiKey);
    expect(me.data.actor).toBe('actor@test.example');
    await api.close();
  });
});

describe('the expiry of a key', () => {
  it.each([
    ['UTC', '2027-01-31', '2027-01-31T23:59:59.999Z'],
    ['Asia/Shanghai', '2027-01-31', '2027-01-31T15:59:59.999Z'],
    ['Asia/Kolkata', '2027-01-31', '2027-01-31T18:29:59.999Z'],
    ['America/Los_Angeles', '2027-01-31', '2027-02-01T07:59:59.999Z'],
    ['Pacific/Kiritimati', '2027-01-31', '2027-01-31T09:59:59.999Z'],
    ['Pacific/Pago_Pago', '2027-01-31', '2027-02-01T10:59:59.999Z'],
    // Days of 23 and 25 hours.
    ['Europe/Berlin', '2027-03-28', '2027-03-28T21:59:59.999Z'],
    ['Europe/Berlin', '2027-10-31', '2027-10-31T22:59:59.999Z'],
  ])('given as a day ends with that day in %s', async (timeZone, expires, end) => {
    const { create } = await opened({ timeZone });
    const { key } = await create({ owner: 'owner@test.example', expires });
    expect(key.expiresAt?.toISOString()).toBe(end);
  });

  it('given as today is judged by the day in the time zone of the organization', async () => {
    const { create: inHonolulu } = await opened({ timeZone: 'Pacific/Honolulu' });
    const { create: inAuckland } = await opened({ timeZone: 'Pacific/Auckland' });
    const asked = { owner: 'owner@test.example', expires: '2026-11-15' };
    expect((await inHonolulu(asked)).key.expiresAt).toEqual(new Date('2026-11-16T09:59:59.999Z'));
    db.clock.set('2026-11-15T12:00:00.000Z');
    const late = { kind: 'invalid', reason: 'expiry_in_the_past', path: '/expires' };
    expect(await refusal(inAuckland(asked))).toEqual(late);
    expect(await refusal(inAuckland({ ...asked, expires: '2020-02-30' }))).toEqual(late);
    expect(
      (await inAuckland({ ...asked, expires: '2026-11-15T12:00:00.001Z' })).key.expiresAt,
    ).not.toBeNull();
  });
});

describe('a key is not created', () => {
  const owner = 'owner@test.example';
  const existing = async (orgId: string, code: string, roles: string) =>
    db.sql(
      `insert into partners (org_id, code, name, roles, status, created_at, updated_at)
       values ($1, $2, 'Partner', $3::text[], 'active', now(), now())`,
      [orgId, code, roles],
    );

  it.each(['products', 'products:approve', 'products:READ', '*', '', 'products:read '])(
    'with the unknown scope "%s"',
    async (scope) => {
      const { create } = await opened();
      const asked = create({ owner, scopes: ['products:read', scope] });
      expect(await refusal(asked)).toEqual({ kind: 'invalid', reason: 'unknown_scope', path: '/scopes' });
    },
  );

  it('with an invalid entry in its allow-list', async () => {
    const { create } = await opened();
    const asked = create({ owner, allowList: ['192.0.2.7', '010.0.0.1'] });
    expect(await refusal(asked)).toEqual({ kind: 'invalid', reason: 'bad_address', path: '/allowList' });
  });

  it('for a customer that does not exist, is of another organization, or is no customer', async () => {
    const { create, orgId } = await opened();
    const other = await opened();
    await existing(orgId, 'HOSP', '{customer,supplier}');
    await existing(orgId, 'SUPP', '{supplier,manufacturer}');
    await existing(other.orgId, 'THEIRS', '{customer}');
    const unknown = { kind: 'invalid', reason: 'unknown_reference', path: '/customerCode' };
    expect(await refusal(create({ owner, customerCode: 'NONE' }))).toEqual(unknown);
    expect(await refusal(create({ owner, customerCode: 'THEIRS' }))).toEqual(unknown);
    expect(await refusal(create({ owner, customerCode: 'SUPP' }))).toEqual({
      ...unknown,
      reason: 'wrong_partner_role',
    });
    expect((await create({ owner, customerCode: 'HOSP' })).key.customerCode).toBe('HOSP');
  });

  it('for another organization, nor rotated or revoked there', async () => {
    const { orgId } = await opened();
    const other = await opened();
    expect(await refusal(during(orgId, (tx) => rotateKey(tx, other.keyId, 0)))).toMatchObject({
      kind: 'missing',
    });
    expect(await refusal(during(orgId, (tx) => revokeKey(tx, other.keyId)))).toMatchObject({
      kind: 'missing',
    });
  });
});

describe('a key is rotated', () => {
  it('with an overlap of 0 seconds to 7 days, and keeps id, scopes and expiry', async () => {
    const { create, orgId } = await opened();
    const { key, apiKey } = await create({ owner: 'owner@test.example', expires: '2027-01-31' });
    const rotate = (overlap: number) => during(orgId, (tx) => rotateKey(tx, key.keyId, overlap));
    for (const overlap of [-1, 604_801, Number.NaN, Number.POSITIVE_INFINITY])
      expect(await refusal(rotate(overlap))).toMatchObject({ reason: 'overlap_too_long' });
    const next = await rotate(604_800);
    expect(next).toMatchObject({ keyId: key.keyId, scopes: key.scopes, expiresAt: key.expiresAt });
    expect(next.apiKey).not.toBe(apiKey);
  });

  it('without an overlap ends the old secret at once', async () => {
    const { orgId, keyId } = await opened();
    await during(orgId, (tx) => rotateKey(tx, keyId, 3_600));
    await during(orgId, (tx) => rotateKey(tx, keyId, 0));
    const rows = await db.sql(
      'select previous_secret_hash as hash, previous_valid_until as until from api_keys where key_id = $1',
      [keyId],
    );
    expect(rows).toEqual([{ hash: null, until: null }]);
  });

  it('not after it was revoked; revoking again changes nothing', async () => {
    const { orgId, keyId } = await opened();
    const { revokedAt } = await during(orgId, (tx) => revokeKey(tx, keyId));
    db.clock.advance(1_000);
    expect(await during(orgId, (tx) => revokeKey(tx, keyId))).toEqual({ keyId, revokedAt });
    expect(await refusal(during(orgId, (tx) => rotateKey(tx, keyId, 0)))).toMatchObject({
      reason: 'key_revoked',
    });
  });

  it('and creation, rotation and revocation stand in the audit trail, without a secret', async () => {
    const { orgId, keyId } = await opened();
    await during(orgId, (tx) => rotateKey(tx, keyId, 0));
    await during(orgId, (tx) => revokeKey(tx, keyId));
    const rows = await db.sql<{ action: string }>(
      "select action from audit_entries where org_id = $1 and entity_type = 'api_key' and entity_id = $2 order by action",
      [orgId, keyId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['key.create', 'key.revoke', 'key.rotate']);
  });
});
