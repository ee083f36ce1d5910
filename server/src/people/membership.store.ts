import { joinOrganization, type OrganizationStatus } from '../organizations/index.js';
import { batchStatement, type Pool, queryBatch, statement, type Tx } from '../platform/database/index.js';
import type { UserRole } from './user.js';
import { joinUser } from './user.store.js';

/** A person in one organization. */
export interface Membership {
  orgId: string;
  userId: string;
  role: UserRole;
  status: 'invited' | 'active' | 'removed';
  orgCode: string;
  orgName: string;
  orgStatus: OrganizationStatus;
}

const ofPerson = statement(`
  select m.org_id as "orgId", m.user_id as "userId", coalesce(m.org_id = a.last_org_id, false) as "isLast"
  from account_memberships m left join accounts a on a.email = m.email where m.email = $1`);
const details = batchStatement(
  2,
  ({ org }) => `
  select m.org_id as "orgId", m.user_id as "userId", u.role, u.status, o.code as "orgCode", o.name as "orgName",
    o.status as "orgStatus"
  from unnest($1::text[], $2::text[]) as m(org_id, user_id)
  ${joinUser('m', org('m.org_id'))}
  ${joinOrganization(org('m.org_id'))}`,
);

interface Place {
  orgId: string;
  userId: string;
  isLast: boolean;
}

/** Looked up for an address without memberships, so that the amount of work does not reveal whether it has any. */
const NOWHERE: Place = { orgId: '', userId: '', isLast: false };

/** All memberships and invitations of the address; the organization used last comes first. */
export async function listMemberships(reader: Pool, email: string): Promise<Membership[]> {
  const places = await reader.query<Place>(ofPerson, [email]);
  const lookedUp = places.length > 0 ? places : [NOWHERE];
  const rows = await queryBatch<Membership, Place>(reader, details, lookedUp, (own) => [
    own.map(({ orgId }) => orgId),
    own.map(({ userId }) => userId),
  ]);
  const last = places.find(({ isLast }) => isLast)?.orgId;
  const rank = ({ orgId }: Membership) => (orgId === last ? 0 : 1);
  return rows.sort((a, b) => rank(a) - rank(b) || compare(a.orgName, b.orgName) || compare(a.orgId, b.orgId));
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export const isUsable = ({ status, orgStatus }: Membership): boolean =>
  status === 'active' && orgStatus === 'active';

/** Whether the person is allowed to work in this organization. */
export const isMemberOf = async (reader: Pool, email: string, orgId: string): Promise<boolean> =>
  (await listMemberships(reader, email)).some((each) => isUsable(each) && each.orgId === orgId);

const invite = statement(`
  insert into account_memberships (email, org_id, user_id, status) values ($2, $1, $3, 'invited')
  on conflict (email, org_id) do nothing`);
const activate = statement(`
  insert into account_memberships as m (email, org_id, user_id, status, second_factor, name)
  select email, $1, $3, 'active', second_factor, name from accounts where email = $2
  on conflict (email, org_id) do update set status = 'active', second_factor = excluded.second_factor, name = excluded.name
  where m.org_id = $1`);
const remove = statement('delete from account_memberships where org_id = $1 and email = $2');

export async function saveInvitedMembership(tx: Tx, email: string, userId: string): Promise<void> {
  tx.send(invite, [tx.orgId, email, userId]);
}

/** The account must have been entered. */
export async function saveActiveMembership(tx: Tx, email: string, userId: string): Promise<void> {
  tx.send(activate, [tx.orgId, email, userId]);
}

const named = statement(`
  select email, name from account_memberships where org_id = $1 and status = 'active' and name <> '' order by email`);

/** The active people of the organization who have given a name. */
export async function listNames(tx: Tx): Promise<{ email: string; name: string }[]> {
  return tx.query<{ email: string; name: string }>(named, [tx.orgId]);
}

export async function removeMembership(tx: Tx, email: string): Promise<void> {
  tx.send(remove, [tx.orgId, email]);
}
