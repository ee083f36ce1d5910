import { StartRefused } from '../start-refused.js';
import type { Pool } from './pool.js';
import { statement } from './statement.js';

const powers = statement(`
  select r.rolname as role,
    r.rolreplication or exists (select from pg_roles p where pg_has_role(r.oid, p.oid, 'member')
      and (p.rolsuper or p.rolbypassrls or p.rolcreaterole or p.rolcreatedb)) as powerful,
    exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = 'lotward' and pg_has_role(r.oid, c.relowner, 'member')) as owner
  from pg_roles r where r.rolname = current_user`);

const unguarded = statement(`
  select c.relname as name from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'lotward' and c.relkind in ('r', 'p') and not c.relrowsecurity and c.relname not like '%\\_directory'
    and (exists (select from pg_policy p where p.polrelid = c.oid)
      or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped))`);

/** Refuses to start as a role that could bypass row-level security. */
export async function requireConfinement(pool: Pool): Promise<void> {
  const [role] = await pool.query<{ role: string; powerful: boolean; owner: boolean }>(powers, []);
  if (!role || role.powerful || role.owner) {
    throw new StartRefused(
      `The database role ${role?.role ?? '(unknown)'} could look past row-level security (it is privileged or owns tables). ` +
        'Revoke its privileges, or drop the role and let Lotward create it again.',
    );
  }
  const open = await pool.query<{ name: string }>(unguarded, []);
  if (open.length > 0) {
    throw new StartRefused(`Row-level security is off on: ${open.map((table) => table.name).join(', ')}.`);
  }
}
