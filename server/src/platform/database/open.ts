import type { Clock } from '../clock/index.js';
import type { SecretBox } from '../secrets/index.js';
import { openAnnouncer } from './announcer.js';
import { requireConfinement } from './confinement.js';
import { migrate } from './migrate.js';
import { Pool, type PoolLimits } from './pool.js';
import type { RoleKind, RoleLogin } from './roles.js';
import type { Database } from './transact.js';

/** Migrates with the URL given, then works only as the three confined roles. */
export async function openDatabase(options: {
  url: string;
  migrationsDirectory: string;
  box: SecretBox;
  clock: Clock;
  limits?: Partial<Record<RoleKind, Partial<PoolLimits>>>;
  onProgress?: (message: string) => void;
}): Promise<Database> {
  const { logins } = await migrate({
    url: options.url,
    directory: options.migrationsDirectory,
    box: options.box,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  });
  const pools = Object.fromEntries(
    logins.map((login) => [
      login.kind,
      new Pool(urlAs(options.url, login), `lotward ${login.kind}`, options.limits?.[login.kind]),
    ]),
  ) as Record<RoleKind, Pool>;
  const worker = logins.find((login) => login.kind === 'worker');
  if (!worker) throw new Error('the migration made no worker role');
  const announcer = openAnnouncer(urlAs(options.url, worker));
  const close = async () => {
    await announcer.close();
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
  };
  try {
    await Promise.all(Object.values(pools).map(requireConfinement));
  } catch (error) {
    await close();
    throw error;
  }
  return { ...pools, announcer, box: options.box, clock: options.clock, close };
}

function urlAs(url: string, login: RoleLogin): string {
  const own = new URL(url);
  own.username = encodeURIComponent(login.name);
  own.password = encodeURIComponent(login.password);
  return own.toString();
}
