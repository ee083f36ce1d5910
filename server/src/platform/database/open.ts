import type { Clock } from '../clock/index.js';
import type { SecretBox } from '../secrets/index.js';
import { openAnnouncer } from './announcer.js';
import { requireConfinement } from './confinement.js';
import { DatabaseTime, type DatabaseTimeOptions, requireSameTime } from './database-time.js';
import { migrate, requireMigrated } from './migrate.js';
import { Pool, type PoolLimits } from './pool.js';
import { ROLE_KINDS, type RoleKind, requireRole, urlAs } from './roles.js';
import { Servers } from './servers.js';
import type { Database } from './transact.js';

/** Requests of one organization leave connections and room in the queue to those of others. */
const SHARED = { connectionsPerOwnerMax: 7, waitersPerOwnerMax: 250 };
const LIMITS: Partial<Record<RoleKind, Partial<PoolLimits>>> = {
  app: SHARED,
  reader: SHARED,
  // Background work has time, and no caller that could try again.
  worker: { ...SHARED, waitersPerOwnerMax: 400, lockMs: 10_000 },
};

const PROBE = { connectionsMax: 1, waitersMax: 20, waitMs: 2_000, statementMs: 2_000, silenceMs: 3_000 };

type RoleUrls = Readonly<Record<RoleKind, string>>;
/**
 * URLs of one server, or of several of which one accepts writes: with the login of the owner, which migrates and finds
 * those of the roles, or with the logins of the roles alone.
 */
type Logins = { url: string } | { roleUrls: RoleUrls };

interface OpenOptions {
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

/** Connects only as the three confined roles. With the login of the owner it migrates first; otherwise it must be done. */
export async function openDatabase(options: OpenOptions & Logins): Promise<Database> {
  const servers =
    'url' in options
      ? await migratedServers(options, options.url)
      : await givenServers(options, options.roleUrls);
  const pools = Object.fromEntries(
    ROLE_KINDS.map((kind) => [
      kind,
      new Pool(servers[kind], `lotward ${kind}`, { ...LIMITS[kind], ...options.limits?.[kind] }),
    ]),
  ) as Record<RoleKind, Pool>;
  const announcer = openAnnouncer(servers.worker);
  const probe = new Pool(servers.reader, 'lotward readiness', PROBE);
  const close = async () => {
    await announcer.close();
    await Promise.all([...Object.values(pools), probe].map((pool) => pool.close()));
  };
  try {
    await Promise.all(Object.values(pools).map(requireConfinement));
    await Promise.all(ROLE_KINDS.map((kind) => requireRole(pools[kind], kind)));
    const time = await DatabaseTime.open(pools.worker, options.time);
    return {
      ...pools,
      probe,
      announcer,
      clock: options.clock ?? time,
      time,
      async close() {
        await time.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type RoleServers = Record<RoleKind, Servers>;

async function migratedServers(options: OpenOptions, owner: string): Promise<RoleServers> {
  const servers = Servers.parse(owner);
  const { logins } = await migrate({
    ...options,
    servers,
    directory: options.migrationsDirectory,
    ...inspection(options),
  });
  return Object.fromEntries(logins.map((login) => [login.kind, servers.as(login)])) as RoleServers;
}

async function givenServers(options: OpenOptions, urls: RoleUrls): Promise<RoleServers> {
  const servers = Object.fromEntries(
    ROLE_KINDS.map((kind) => [kind, Servers.parse(urls[kind])]),
  ) as RoleServers;
  const directory = options.migrationsDirectory;
  await requireMigrated({ servers: servers.worker, directory, ...inspection(options) });
  return servers;
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
  options: Pick<OpenOptions, 'migrationsDirectory' | 'box' | 'onProgress'> & { url: string },
): Promise<Record<RoleKind, string>> {
  const { logins } = await migrate({
    ...options,
    servers: Servers.parse(options.url),
    directory: options.migrationsDirectory,
  });
  return Object.fromEntries(logins.map((login) => [login.kind, urlAs(options.url, login)])) as Record<
    RoleKind,
    string
  >;
}
