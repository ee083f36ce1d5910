import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { keyIdOf, type SealPlace, type SecretBox } from '../secrets/index.js';
import { StartRefused } from '../start-refused.js';
import type { Pool } from './pool.js';
import { quoted, ROLE_KINDS, type RoleKind } from './role.js';
import { timeoutStatements } from './role-limits.js';
import { statement } from './statement.js';

export interface RoleLogin {
  kind: RoleKind;
  name: string;
  password: string;
}

/** Roles are shared by all databases of a server, so their names contain the database's. */
function roleName(database: string, kind: RoleKind): string {
  const readable = `lotward_${database}_${kind}`;
  if (readable.length <= 63) return readable;
  return `lotward_${createHash('sha1').update(database).digest('hex').slice(0, 20)}_${kind}`;
}

/**
 * Creates the three login roles, or finds existing ones. Their names and encrypted passwords are stored in the database, so a
 * copy of it keeps working with the roles named in its grants.
 */
export async function ensureRoles(client: pg.ClientBase, box: SecretBox): Promise<RoleLogin[]> {
  await client.query('create schema if not exists lotward');
  await client.query(`create table if not exists lotward.service_roles (
    kind text primary key, name text not null, password_sealed text not null)`);
  const { rows } = await client.query<{ kind: RoleKind; name: string; password_sealed: string }>(
    'select kind, name, password_sealed from lotward.service_roles',
  );
  const { rows: current } = await client.query<{ db: string }>('select current_database() as db');
  const logins: RoleLogin[] = [];
  const fresh: RoleLogin[] = [];
  for (const kind of ROLE_KINDS) {
    const known = rows.find((row) => row.kind === kind);
    const login = known
      ? { kind, name: known.name, password: openPassword(box, kind, known.password_sealed) }
      : {
          kind,
          name: roleName(current[0]?.db ?? 'lotward', kind),
          password: randomBytes(24).toString('base64url'),
        };
    if (!known || box.isStale(known.password_sealed)) {
      await client.query(
        `insert into lotward.service_roles values ($1, $2, $3)
         on conflict (kind) do update set password_sealed = excluded.password_sealed`,
        [kind, login.name, box.seal(login.password, passwordPlace(kind))],
      );
    }
    logins.push(login);
    if (!known) fresh.push(login);
  }
  await createRoles(client, logins, fresh);
  return logins;
}

const passwordPlace = (kind: RoleKind): SealPlace => ({ purpose: 'role password', orgId: null, id: kind });

function openPassword(box: SecretBox, kind: RoleKind, sealed: string): string {
  try {
    return box.open(sealed, passwordPlace(kind));
  } catch {
    throw new StartRefused(
      `LOTWARD_SECRET_KEY is not the key this database was set up with; to rotate it give "new,old". The passwords of the database roles are sealed under key ${keyIdOf(sealed)}.`,
    );
  }
}

async function createRoles(client: pg.ClientBase, logins: readonly RoleLogin[], fresh: readonly RoleLogin[]) {
  const { rows } = await client.query<{ name: string; usable: boolean }>(
    'select rolname as name, rolcanlogin as usable from pg_roles where rolname = any($1)',
    [logins.map((login) => login.name)],
  );
  const found = (login: RoleLogin) => rows.find((row) => row.name === login.name);
  const iterations = await scramIterations(client);
  const statements = logins
    // A role without login was created by hand, so that a copy of the database could be restored with its grants.
    .filter((login) => !found(login)?.usable || fresh.includes(login))
    .flatMap((login) => [
      // A role left by a dropped database of the same name has an unknown password, so it gets a new one. Its other
      // privileges only a superuser can revoke: the service checks them before it uses the role.
      `${found(login) ? `alter role ${quoted(login.name)} login` : `create role ${quoted(login.name)} login nosuperuser nocreatedb nocreaterole nobypassrls`} password '${scramVerifier(login.password, iterations)}'`,
      `alter role ${quoted(login.name)} set search_path = lotward, public`,
      ...timeoutStatements(login.name, login.kind),
    ]);
  if (statements.length === 0) return;
  const { rows: mine } = await client.query<{ allowed: boolean }>(
    'select rolsuper or rolcreaterole as allowed from pg_roles where rolname = current_user',
  );
  if (!mine[0]?.allowed) {
    throw new StartRefused(
      `DATABASE_URL may not create roles. Let an administrator of the server run:\n${statements.map((s) => `  ${s};`).join('\n')}`,
    );
  }
  for (const sql of statements) await client.query(sql);
}

/** Uses the server's own setting; PostgreSQL before 16 has none and uses this number. */
async function scramIterations(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ iterations: string | null }>(
    "select current_setting('scram_iterations', true) as iterations",
  );
  return Number(rows[0]?.iterations ?? 4_096);
}

/** The form in which PostgreSQL stores a password; it can be shown to an administrator without revealing the password. */
function scramVerifier(password: string, iterations: number): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/** The same address with another login. The address may name several hosts, which a URL cannot. */
export const urlAs = (url: string, { name, password }: RoleLogin): string =>
  url.replace(
    /^(postgres(?:ql)?:\/\/)(?:[^/?#]*@)?/,
    (_, scheme) => `${scheme}${encodeURIComponent(name)}:${encodeURIComponent(password)}@`,
  );

const ownKind = statement('select kind from service_roles where name = current_user');

/** A login given for one role must belong to it, because its work needs exactly that role's privileges. */
export async function requireRole(pool: Pool, kind: RoleKind): Promise<void> {
  const [role] = await pool.query<{ kind: RoleKind }>(ownKind, []);
  if (role?.kind !== kind)
    throw new StartRefused(
      `The database login given for the role ${kind} is ${role ? `that of the role ${role.kind}` : 'not that of a role of Lotward'}. "lotward migrate --show-urls" prints the right ones.`,
    );
}
