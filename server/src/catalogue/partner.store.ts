import { type Matches, noteSearchable } from '../indexing/index.js';
import {
  Filter,
  type ListPage,
  listRows,
  noteChange,
  organizationRow,
  statement,
  type Tx,
} from '../platform/database/index.js';
import type { Partner } from './partner.js';
import type { NamedPartner } from './references.rules.js';

const columns = `code, name, roles, contact, gln, registration_code as "registrationCode", addresses, status,
  version, updated_at as "updatedAt"`;
const lock = statement(
  `select ${columns} from partners where org_id = $1 and code = any($2) order by code for no key update`,
);
const one = statement(`select ${columns} from partners where org_id = $1 and code = $2`);
const shareLock = statement('select name, roles from partners where org_id = $1 and code = $2 for share');
const named = statement('select code, name, roles from partners where org_id = $1 and code = any($2)');
const upsert = statement(`
  insert into partners (org_id, code, name, roles, contact, gln, registration_code, addresses, status, created_at, updated_at)
  select g.org_id, p.code, p.name, p.roles, p.contact, p.gln, p."registrationCode", p.addresses, p.status, $3, $3
  from ${organizationRow('g')}, jsonb_to_recordset($2::jsonb) as p(code text, name text, roles text[], contact jsonb, gln text, "registrationCode" text,
    addresses jsonb, status text)
  on conflict (org_id, code) do update set name = excluded.name, roles = excluded.roles,
    contact = excluded.contact, gln = excluded.gln, registration_code = excluded.registration_code,
    addresses = excluded.addresses, status = excluded.status,
    ${noteChange('partners', 'excluded.updated_at')}
    where partners.code = any($4)
  returning code`);

export async function lockPartners(tx: Tx, codes: readonly string[]): Promise<Map<string, Partner>> {
  const rows = await tx.query<Partner>(lock, [tx.orgId, codes]);
  return new Map(rows.map((row) => [row.code, row]));
}

export async function findPartner(tx: Tx, code: string): Promise<Partner | null> {
  const [row] = await tx.query<Partner>(one, [tx.orgId, code]);
  return row ?? null;
}

/** Reads the partners that a body refers to, with their roles. */
export async function readNamedPartners(
  tx: Tx,
  codes: readonly string[],
): Promise<Map<string, NamedPartner>> {
  const rows = await tx.query<NamedPartner & { code: string }>(named, [tx.orgId, codes]);
  return new Map(rows.map((row) => [row.code, row]));
}

/** Reads one partner with a share lock, so that its roles stay until the transaction ends. */
export async function shareLockPartner(tx: Tx, code: string): Promise<NamedPartner | undefined> {
  const [row] = await tx.query<NamedPartner>(shareLock, [tx.orgId, code]);
  return row;
}

/** Writes whole partners and returns the codes written. Existing partners that are not in `known` are skipped. */
export async function savePartners(
  tx: Tx,
  partners: readonly Partner[],
  known: ReadonlyMap<string, Partner>,
): Promise<Set<string>> {
  const rows = await tx.query<{ code: string }>(upsert, [
    tx.orgId,
    JSON.stringify(partners),
    tx.now,
    [...known.keys()],
  ]);
  const written = rows.map((row) => row.code);
  noteSearchable(tx, 'partner', written);
  return new Set(written);
}

export interface PartnerFilter {
  /** Limited to those found by text. */
  matches?: Matches<'partner'> | undefined;
  name?: string | undefined;
  role?: readonly string[] | undefined;
  status?: readonly string[] | undefined;
}

export async function listPartners(tx: Tx, filter: PartnerFilter, page: ListPage): Promise<Partner[]> {
  const list = new Filter('org_id = $1', [tx.orgId, page.limit]);
  const order = list.page(page, {
    ...{ id: 'code', direction: 'asc', updatedAt: 'updated_at' },
    sorts: { code: 'code', name: 'name' },
  });
  list.either([{ code: filter.matches?.partner }]);
  list.and(`search_name like search_pattern(?)`, filter.name);
  list.and(`roles && ?`, filter.role);
  list.anyOf('status', filter.status);
  return listRows<Partner>(tx, page, list, {
    rows: `select ${columns} from partners where ${list.where} order by ${order} limit $2`,
    counted: `select from partners where ${list.where} limit $2`,
  });
}
