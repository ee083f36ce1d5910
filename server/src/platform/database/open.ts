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

/** Migrates with the URL given, then works only as the three confined roles. */
export async function openDatabase(options: {
  /** Of one server, or of several of which one can be written to. */
  url: string;
  migrationsDirectory: string;
  /** Opens the sealed passwords of the roles. */
  box: SecretBox;
  /** What business goes by. Given by tests; otherwise the database's clock, as this process keeps it. */
  clock?: Clock;
  time?: DatabaseTimeOptions;
  /** Refuses to open, and changes nothing, when the clock of this machine is not that of the database. */
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
      new Pool(servers.as(login), `lotward ${login.kind}`, options.limits?.[login.kind]),
    ]),
  ) as Record<RoleKind, Pool>;
  const worker = logins.find((login) => login.kind === 'worker');
  if (!worker) throw new Error('the migration made no worker role');
  const announcer = openAnnouncer(servers.as(worker));
  const close = async () => {
    await announcer.close();
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
  };
  try {
    await Promise.all(Object.values(pools).map(requireConfinement));
    const time = await DatabaseTime.open(pools.worker, options.time);
    return {
      ...pools,
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
