import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectSlices } from '../app/connect-slices.js';
import type { Config, RoleUrls } from '../config/index.js';
import {
  type Database,
  type Examination,
  examineAsOwner,
  migrateAsOwner,
  openDatabase,
} from '../platform/database/index.js';
import { useEmbeddedPostgres } from '../platform/embedded-postgres/index.js';
import { packageDirectory } from '../platform/package-directory.js';
import { type SecretBox, secretBox } from '../platform/secrets/index.js';
import { StartRefused } from '../platform/start-refused.js';

/** The dependencies of every command: settings, and the database opened and migrated. */
export interface Runtime {
  config: Config;
  database: Database;
  /** Seals and opens stored secrets. */
  box: SecretBox;
  close(): Promise<void>;
}

const migrationsDirectory = join(packageDirectory, 'migrations');

/**
 * Commands use the database's clock, not this host's. With `requireSameTime`, a command that acts on the time by itself
 * refuses to start if the two differ, because the database's clock may be the wrong one.
 */
export async function openRuntime(
  config: Config,
  {
    onProgress = () => {},
    requireSameTime = false,
    useReplica = false,
  }: { onProgress?: (message: string) => void; requireSameTime?: boolean; useReplica?: boolean } = {},
): Promise<Runtime> {
  connectSlices();
  const embedded = config.isEmbedded
    ? await useEmbeddedPostgres({ dataDir: config.dataDir, onProgress })
    : null;
  try {
    const box = boxOf(config);
    const database = await openDatabase({
      ...loginsOf(config, embedded?.url ?? null),
      directUrl: config.directUrl,
      replica: useReplica ? config.replica : null,
      migrationsDirectory,
      box,
      requireSameTime,
      onProgress,
    });
    if (!database.time.state.isReliable) onProgress(database.time.state.description);
    return {
      config,
      database,
      box,
      async close() {
        await database.close();
        await embedded?.release();
      },
    };
  } catch (error) {
    await embedded?.release();
    throw error;
  }
}

function loginsOf({ roleUrls, databaseUrl }: Config, embeddedUrl: string | null) {
  const url = databaseUrl ?? embeddedUrl;
  if (roleUrls) return { roleUrls };
  if (url !== null) return { url };
  throw new StartRefused(
    'DATABASE_MIGRATION_URL is for "lotward migrate" alone: give DATABASE_APP_URL, DATABASE_READER_URL and DATABASE_WORKER_URL, which "lotward migrate --show-urls" prints.',
  );
}

/** Migrates as the owner of the database. Returns the URLs of the roles it grants to. */
export const migrateDatabase = (
  config: Config,
  onProgress: (message: string) => void,
  { distribute = false }: { distribute?: boolean } = {},
): Promise<RoleUrls> =>
  asOwner(config, onProgress, (login) =>
    migrateAsOwner({ ...login, migrationsDirectory, box: boxOf(config), onProgress, distribute }),
  );

/** Inspects the database as its owner, without opening or changing it. */
export const examineDatabase = (
  config: Config,
  onProgress: (message: string) => void,
): Promise<Examination> =>
  asOwner(config, onProgress, (login) => examineAsOwner({ ...login, migrationsDirectory }));

async function asOwner<T>(
  config: Config,
  onProgress: (message: string) => void,
  work: (login: { url: string; directUrl: string | null }) => Promise<T>,
): Promise<T> {
  const embedded = config.isEmbedded
    ? await useEmbeddedPostgres({ dataDir: config.dataDir, onProgress })
    : null;
  try {
    const url = config.migrationUrl ?? config.databaseUrl ?? embedded?.url;
    if (url === undefined)
      throw new StartRefused('Give the login of the database owner as DATABASE_MIGRATION_URL.');
    // The migration login needs a session of its own, which a pooler does not give.
    return await work({ url, directUrl: config.migrationUrl === null ? config.directUrl : null });
  } finally {
    await embedded?.release();
  }
}

const boxOf = (config: Config): SecretBox => secretBox(config.secretKeys ?? [keptSecretKey(config.dataDir)]);

/** The secret key of an embedded database, generated once and readable only by the user who runs it. */
function keptSecretKey(dataDir: string): string {
  const file = join(dataDir, 'secret.key');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new StartRefused(`The secret key cannot be kept in ${file}: ${(error as Error).message}`);
    }
  }
  return readFileSync(file, 'utf8');
}
