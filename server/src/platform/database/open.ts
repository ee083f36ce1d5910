import type { Clock } from '../clock/index.js';
import type { SecretBox } from '../secrets/index.js';
import { openAnnouncer } from './announcer.js';
import { requireConfinement } from './confinement.js';
import { DatabaseTime, type DatabaseTimeOptions, requireSameTime } from './database-time.js';
import { migrate } from './migrate.js';
import { Pool, type PoolLimits } from './pool.js';
import type { RoleKind } from './roles.js';
import { Servers } from './servers.js';
import type { Database } from './transact.js';

/** Requests of one organization leave connections and room in the queue to those of others. */
const SHARED = { connectionsPerOwnerMax: 7, waitersPerOwnerMax: 250 };
/** Background work has time, and no caller that could try again. */
const LIMITS: Partial<Record<RoleKind, Partial<PoolLimits>>> = {
  app: SHARED,
  reader: SHARED,
  worker: { lockMs: 10_000 },
};

const PROBE = { connectionsMax: 1, waitersMax: 20, waitMs: 2_000, statementMs: 2_000, silenceMs: 3_000 };

/** Migrates with the given URL, then connects only as the three confined roles. */
export async function openDatabase(options: {
  /** The URL of one server, or of several of which one accepts writes. */
  url: string;
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
}): Promise<Database> {
  const servers = Servers.parse(options.url);
  const { logins } = await migrate({
    servers,
    directory: options.migrationsDirectory,
    box: options.box,
    ...(options.requireSameTime
      ? { inspect: (client) => requireSameTime(client, options.time?.clocks) }
      : {}),
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  });
  const pools = Object.fromEntries(
    logins.map((login) => [
      login.kind,
      new Pool(servers.as(login), `lotward ${login.kind}`, {
        ...LIMITS[login.kind],
        ...options.limits?.[login.kind],
      }),
    ]),
  ) as Record<RoleKind, Pool>;
  const loginOf = (kind: RoleKind) => {
    const login = logins.find((each) => each.kind === kind);
    if (!login) throw new Error(`the migration created no ${kind} role`);
    return login;
  };
  const announcer = openAnnouncer(servers.as(loginOf('worker')));
  const probe = new Pool(servers.as(loginOf('reader')), 'lotward readiness', PROBE);
  const close = async () => {
    await announcer.close();
    await Promise.all([...Object.values(pools), probe].map((pool) => pool.close()));
  };
  try {
    await Promise.all(Object.values(pools).map(requireConfinement));
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
