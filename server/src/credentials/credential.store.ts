import { calendarColumns, joinOrganization } from '../organizations/index.js';
import {
  batchStatement,
  type ListPage,
  noteChange,
  type Pool,
  queryBatch,
  statement,
  type Tx,
} from '../platform/database/index.js';
import type { CredentialStatus, ShownCredential, StoredCredential } from './credential.js';

/** Where one type of credential is stored. */
interface CredentialTable {
  table: 'api_keys' | 'oauth_clients';
  /** Which organization each credential belongs to. */
  directory: 'api_key_directory' | 'oauth_client_directory';
  id: { column: string; field: string };
  /** The one column that the other type does not have. */
  own: { column: string; field: string };
  /** SQL for the status at `$2`, for the row `c`. */
  status: string;
}

export interface CredentialUsed {
  orgId: string;
  id: string;
  at: Date;
}

interface CredentialFilter {
  /** Part of the name, the id or the owner's address. */
  q?: string | undefined;
  status?: readonly CredentialStatus[] | undefined;
  /** E-mail of a person. */
  belongsTo?: string | undefined;
}

/** The fields that can change in a credential of either type. */
type CredentialChange = Pick<StoredCredential, 'name' | 'scopes' | 'allowList'>;

export type Locked<C extends StoredCredential> = C & { secretHash: Buffer };

/** The statements that keys and clients share. */
export interface CredentialStore<C extends StoredCredential> {
  saveNew(tx: Tx, credential: C, secretHash: Buffer): Promise<void>;
  /** Locked until the transaction ends; null when there is none. */
  lock(tx: Tx, id: string): Promise<Locked<C> | null>;
  replaceSecret(
    tx: Tx,
    id: string,
    next: Buffer,
    previous: { hash: Buffer; validUntil: Date } | null,
  ): Promise<void>;
  markRevoked(tx: Tx, id: string): Promise<void>;
  saveChange(tx: Tx, id: string, to: CredentialChange): Promise<void>;
  saveOwnerConfirmed(tx: Tx, id: string): Promise<void>;
  /** Disables credentials that belong to this person or are owned by them, except those of the organization. */
  disableOf(tx: Tx, email: string): Promise<{ id: string; name: string }[]>;
  /** Enables the credential, with the adopter as its owner. */
  saveAdopted(tx: Tx, id: string, adopter: string): Promise<void>;
  list(reader: Pool, orgId: string): Promise<C[]>;
  /** Newest first, or by last change. */
  page(tx: Tx, filter: CredentialFilter, page: ListPage): Promise<ShownCredential<C>[]>;
  /** Usable ones that this person owns or that belong to them, newest first. */
  ofPerson(tx: Tx, email: string): Promise<ShownCredential<C>[]>;
  find(tx: Tx, id: string): Promise<ShownCredential<C> | null>;
  /** The organization of each; unknown ones are left out. */
  organizationsOf(reader: Pool, ids: readonly string[]): Promise<Map<string, string>>;
  noteUse(worker: Pool, uses: readonly CredentialUsed[]): Promise<void>;
}

const columnsOf = ({ id, own }: CredentialTable) =>
  [id, own].map(({ column, field }) => `c.${column} as "${field}"`).join(', ');

const shownColumns = `c.name, c.owner_email as owner, c.scopes, c.allow_list as "allowList",
  c.customer_code as "customerCode", c.last_used_at as "lastUsedAt", c.created_at as "createdAt", c.created_by as "createdBy", c.version, c.updated_at as "updatedAt",
  c.belongs_to as "belongsTo", c.owner_confirmed_at as "ownerConfirmedAt", c.disabled_reason as "disabledReason"`;

/** The columns of a stored credential, for the row `c`. */
export const credentialColumns = (table: CredentialTable): string =>
  `c.org_id as "orgId", ${columnsOf(table)}, ${shownColumns}, c.revoked_at as "revokedAt", c.disabled_at as "disabledAt"`;

/** The columns that a credential has for login besides its own, and the join they need. */
export const loginColumns = `c.secret_hash as "secretHash", c.previous_secret_hash as "previousSecretHash",
  c.previous_valid_until as "previousValidUntil", o.name as "orgName", o.status as "orgStatus", o.edition,
  ${calendarColumns}`;
export const joinLogin = (org = 'c.org_id'): string => joinOrganization(org);

export function credentialStore<C extends StoredCredential>(of: CredentialTable): CredentialStore<C> {
  const s = statementsFor(of);
  const field = (credential: C, name: string) => (credential as unknown as Record<string, unknown>)[name];
  return {
    async saveNew(tx, c, secretHash) {
      const id = field(c, of.id.field);
      tx.send(s.register, [id, tx.orgId]);
      tx.send(s.insert, [
        tx.orgId,
        id,
        c.name,
        c.owner,
        c.scopes,
        c.allowList,
        c.customerCode,
        secretHash,
        c.createdAt,
        c.createdBy,
        field(c, of.own.field),
        c.belongsTo,
        c.ownerConfirmedAt,
      ]);
    },
    async lock(tx, id) {
      const [row] = await tx.query<Locked<C>>(s.lock, [tx.orgId, id]);
      return row ?? null;
    },
    async replaceSecret(tx, id, next, previous) {
      const { hash = null, validUntil = null } = previous ?? {};
      tx.send(s.replaceSecret, [tx.orgId, id, next, hash, validUntil, tx.now]);
    },
    async markRevoked(tx, id) {
      tx.send(s.revoke, [tx.orgId, id, tx.now]);
    },
    list: (reader, orgId) => reader.query<C>(s.list, [orgId]),
    async saveChange(tx, id, to) {
      tx.send(s.change, [tx.orgId, id, to.name, to.scopes, to.allowList, tx.now]);
    },
    async saveOwnerConfirmed(tx, id) {
      tx.send(s.confirmOwner, [tx.orgId, id, tx.now]);
    },
    disableOf: (tx, email) => tx.query(s.disableOf, [tx.orgId, email, tx.now]),
    async saveAdopted(tx, id, adopter) {
      tx.send(s.adopt, [tx.orgId, id, adopter, tx.now]);
    },
    page(tx, { q, status, belongsTo }, { limit, after, sort, updatedSince }) {
      const [at = null, id = null] = after ?? [];
      const filter = [status ?? null, at, id, limit, belongsTo ?? null, updatedSince ?? null, q ?? null];
      return tx.query<ShownCredential<C>>(sort ? s.pageByUpdate : s.page, [tx.orgId, tx.now, ...filter]);
    },
    ofPerson: (tx, email) => tx.query<ShownCredential<C>>(s.ofPerson, [tx.orgId, tx.now, email]),
    async find(tx, id) {
      const [row] = await tx.query<ShownCredential<C>>(s.find, [tx.orgId, tx.now, id]);
      return row ?? null;
    },
    async organizationsOf(reader, ids) {
      const rows = await reader.query<{ id: string; orgId: string }>(s.organizationsOf, [ids]);
      return new Map(rows.map((row) => [row.id, row.orgId]));
    },
    async noteUse(worker, uses) {
      await queryBatch(worker, s.noteUse, uses, (own) => [
        own.map((use) => use.orgId),
        own.map((use) => use.id),
        own.map((use) => use.at),
      ]);
    },
  };
}

function statementsFor(of: CredentialTable) {
  const { table, directory, status } = of;
  const id = of.id.column;
  const columns = credentialColumns(of);
  const shown = `${columnsOf(of)}, ${shownColumns},
    case when c.previous_valid_until >= $2 then c.previous_valid_until end as "overlapUntil", s.status`;
  const withStatus = `${table} c, lateral (select ${status} as status) s`;
  const filtered = `c.org_id = $1 and ($3::text[] is null or s.status = any($3)) and ($7::text is null or c.belongs_to = $7)
        and ($8::timestamptz is null or c.updated_at >= $8)
        and ($9::text is null or strpos(lower(concat_ws(' ', c.name, c.${id}, c.owner_email)), lower($9)) > 0)`;
  return {
    register: statement(`insert into ${directory} (${id}, org_id) values ($1, $2)`),
    insert: statement(`
      insert into ${table} (org_id, ${id}, name, owner_email, scopes, allow_list, customer_code, secret_hash,
        created_at, created_by, ${of.own.column}, belongs_to, owner_confirmed_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $9)`),
    lock: statement(`
      select ${columns}, c.secret_hash as "secretHash" from ${table} c where c.org_id = $1 and c.${id} = $2
      for no key update`),
    replaceSecret: statement(`
      update ${table} set secret_hash = $3, previous_secret_hash = $4, previous_valid_until = $5, ${noteChange(table, '$6')}
      where org_id = $1 and ${id} = $2`),
    revoke: statement(
      `update ${table} set revoked_at = $3, ${noteChange(table, '$3')} where org_id = $1 and ${id} = $2`,
    ),
    change: statement(
      `update ${table} set name = $3, scopes = $4, allow_list = $5, ${noteChange(table, '$6')} where org_id = $1 and ${id} = $2`,
    ),
    confirmOwner: statement(
      `update ${table} set owner_confirmed_at = $3, ${noteChange(table, '$3')} where org_id = $1 and ${id} = $2`,
    ),
    disableOf: statement(`
      update ${table} set disabled_at = $3, disabled_reason = 'owner_ended', ${noteChange(table, '$3')}
      where org_id = $1 and revoked_at is null and disabled_at is null
        and (belongs_to = $2 or (belongs_to is not null and owner_email = $2))
      returning ${id} as id, name`),
    adopt: statement(`
      update ${table} set belongs_to = $3, owner_email = $3, owner_confirmed_at = $4, disabled_at = null,
        disabled_reason = null, ${noteChange(table, '$4')}
      where org_id = $1 and ${id} = $2`),
    list: statement(`select ${columns} from ${table} c where c.org_id = $1 order by c.created_at, c.${id}`),
    page: statement(`
      select ${shown} from ${withStatus}
      where ${filtered} and ($4::timestamptz is null or (c.created_at, c.${id}) < ($4, $5::text))
      order by c.created_at desc, c.${id} desc limit $6`),
    pageByUpdate: statement(`
      select ${shown} from ${withStatus}
      where ${filtered} and ($4::timestamptz is null or (c.updated_at, c.${id}) > ($4, $5::text))
      order by c.updated_at, c.${id} limit $6`),
    ofPerson: statement(`
      select ${shown} from ${withStatus}
      where c.org_id = $1 and s.status in ('active', 'disabled') and (c.owner_email = $3 or c.belongs_to = $3)
      order by c.created_at desc, c.${id} desc`),
    find: statement(`select ${shown} from ${withStatus} where c.org_id = $1 and c.${id} = $3`),
    organizationsOf: statement(
      `select ${id} as id, org_id as "orgId" from ${directory} where ${id} = any($1)`,
    ),
    noteUse: batchStatement(
      3,
      ({ org }) => `
      update ${table} c set last_used_at = u.at
      from unnest($1::text[], $2::text[], $3::timestamptz[]) as u(org_id, id, at)
      where c.org_id = ${org('u.org_id')} and c.${id} = u.id and (c.last_used_at is null or c.last_used_at < u.at)`,
    ),
  };
}
