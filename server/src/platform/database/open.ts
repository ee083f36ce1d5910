import type { Clock } from '../clock/index.js';
import type { SecretBox } from '../secrets/index.js';
import { openAnnouncer } from './announcer.js';
import { requireConfinement } from './confinement.js';
import { DatabaseTime, type DatabaseTimeOptions, requireSameTime } from './database-time.js';
import { type Examination, examine, migrate, requireMigrated } from './migrate.js';
import { Pool, type PoolLimits } from './pool.js';
import { Replica, type ReplicaOptions } from './replica.js';
import { ROLE_KINDS, type RoleKind } from './role.js';
import { ROLE_LIMITS, requireTimeouts } from './role-limits.js';
import { requireRole, urlAs } from './roles.js';
import { Servers } from './servers.js';
import type { Database } from './transact.js';

const PROBE = { connectionsMax: 1, waitersMax: 20, waitMs: 2_000, statementMs: 2_000, silenceMs: 3_000 };

type RoleUrls = Readonly<Record<RoleKind, string>>;
/**
 * URLs of one server, or of several of which one accepts writes: either with the login of the owner, which migrates and
 * looks up the logins of the roles, or with the logins of the roles alone.
 */
type Logins = { url: string } | { roleUrls: RoleUrls };

/** Other addresses of the same database. A login in them is ignored: the roles log in there, too. */
interface Addresses {
  /** Bypasses a connection pooler, for work that needs a session of its own: migrations and LISTEN. */
  directUrl?: string | null;
  /** A streaming replica, or several of which one is used at a time. */
  replica?: ({ url: string } & ReplicaOptions) | null;
}

interface OpenOptions extends Addresses {
  migrationsDirectory: string;
  /** Decrypts the stored passwords of the roles. */
  box: SecretBox;
  /** The clock of business logic. Tests inject one; the default is the database's clock as this process tracks it. */
  clock?: Clock;
  time?: DatabaseTimeOptions;
  /** Refuses to open, before any change, if the system clock differs from the database's. */
  requireSameTime?: boolean;
  limits?: Partial<Record<RoleKind, Partial<PoolLimits>>>;
  onProgress?: (message: string) => void;
}

/**
 * Connects only as the three confined roles. With the owner's login it migrates first; otherwise the schema must be up to
 * date.
 */
export async function openDatabase(options: OpenOptions & Logins): Promise<Database> {
  const { servers, isDistributed } =
    'url' in options
      ? await migratedServers(options, options.url)
      : await givenServers(options, options.roleUrls);
  const limits = Object.fromEntries(
    ROLE_KINDS.map((kind) => [kind, { ...ROLE_LIMITS[kind], ...options.limits?.[kind] }]),
  ) as Record<RoleKind, Partial<PoolLimits>>;
  const pools = Object.fromEntries(
    ROLE_KINDS.map((kind) => [
      kind,
      new Pool(servers[kind], `lotward ${kind}`, limits[kind], { isDistributed }),
    ]),
  ) as Record<RoleKind, Pool>;
  const announcer = openAnnouncer(servers.worker, pastPooler(options, servers.worker));
  const probe = new Pool(servers.reader, 'lotward readiness', PROBE);
  const close = async () => {
    await announcer.close();
    await Promise.all([...Object.values(pools), probe].map((pool) => pool.close()));
  };
  const replicas = options.replica && Servers.parseReplicas(options.replica.url, 'DATABASE_READ_URL');
  try {
    await Promise.all(Object.values(pools).map(requireConfinement));
    await Promise.all(ROLE_KINDS.map((kind) => requireRole(pools[kind], kind)));
    await Promise.all(ROLE_KINDS.map((kind) => requireTimeouts(pools[kind], kind)));
    const time = await DatabaseTime.open(pools.worker, options.time);
    const primary: Database = {
      ...pools,
      probe,
      announcer,
      clock: options.clock ?? time,
      time,
      replica: null,
      close,
    };
    const replica =
      options.replica && replicas
        ? new Replica(primary, replicas.as(servers.app.login), limits.app, options.replica)
        : null;
    return {
      ...primary,
      replica,
      async close() {
        await replica?.close();
        await time.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The same servers without the pooler in front of them. */
const pastPooler = ({ directUrl }: Addresses, servers: Servers): Servers =>
  directUrl ? Servers.parse(directUrl, 'DATABASE_DIRECT_URL').as(servers.login) : servers;

type RoleServers = Record<RoleKind, Servers>;
interface Prepared {
  servers: RoleServers;
  isDistributed: boolean;
}

async function migratedServers(options: OpenOptions, owner: string): Promise<Prepared> {
  const servers = Servers.parse(owner);
  const { logins, isDistributed } = await migrate({
    ...options,
    servers: pastPooler(options, servers),
    directory: options.migrationsDirectory,
    ...inspection(options),
  });
  const roles = Object.fromEntries(logins.map((login) => [login.kind, servers.as(login)])) as RoleServers;
  return { servers: roles, isDistributed };
}

async function givenServers(options: OpenOptions, urls: RoleUrls): Promise<Prepared> {
  const servers = Object.fromEntries(
    ROLE_KINDS.map((kind) => [kind, Servers.parse(urls[kind])]),
  ) as RoleServers;
  const directory = options.migrationsDirectory;
  const isDistributed = await requireMigrated({ servers: servers.worker, directory, ...inspection(options) });
  return { servers, isDistributed };
}

const inspection = (options: OpenOptions) =>
  options.requireSameTime
    ? {
        inspect: (client: Parameters<typeof requireSameTime>[0]) =>
          requireSameTime(client, options.time?.clocks),
      }
    : {};

/** Brings the schema up to date. Returns the logins of the roles. */
export async function migrateAsOwner(
  options: Pick<OpenOptions, 'migrationsDirectory' | 'box' | 'onProgress' | 'directUrl'> & {
    url: string;
    distribute?: boolean;
  },
): Promise<Record<RoleKind, string>> {
  const { logins } = await migrate({
    ...options,
    servers: pastPooler(options, Servers.parse(options.url)),
    directory: options.migrationsDirectory,
  });
  return Object.fromEntries(logins.map((login) => [login.kind, urlAs(options.url, login)])) as Record<
    RoleKind,
    string
  >;
}

/** Inspects a database as its owner and changes nothing. */
export const examineAsOwner = (
  options: Pick<OpenOptions, 'migrationsDirectory' | 'directUrl'> & { url: string },
): Promise<Examination> =>
  examine({
    servers: pastPooler(options, Servers.parse(options.url)),
    directory: options.migrationsDirectory,
  });
