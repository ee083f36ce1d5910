import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { ifMissing } from './explained.js';
import type { Place } from './place.js';
import { processInfo } from './process-info.js';
import { type Running, run } from './program.js';
import { prepareSocketFolder } from './socket.js';

const STOP_PATIENCE_MS = 60_000;

/** Passed at each start instead of in postgresql.conf, so that a new version of Lotward can change them. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  random_page_cost: '1.1',
  jit: 'off',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

export interface Postmaster {
  pid: number;
  port: number;
}

/** The caller must hold the exclusive claim, and know that no server runs on this database. */
export async function startPostmaster(place: Place, binaries: Binaries, port: number): Promise<Running> {
  const folder = await prepareSocketFolder(place.cluster);
  const unix_socket_directories = folder === null ? '' : `"${folder}"`;
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  return run(place, binaries.postgres, ['-D', place.cluster, ...settings]);
}

/** Returns the server that runs on this database, if any. The caller must hold the exclusive claim. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(ifMissing(undefined));
  if (text === undefined) return undefined;
  // One line each: process, folder, start time, port.
  const [pid = 0, , , port = 0] = text.split('\n').map(Number);
  if (await isPostmaster(pid, cluster)) return { pid, port };
  // The file was left by a crash. PostgreSQL would mistake a zombie, or another program with the same process number, for the
  // server. It still recognizes processes that outlived their server, by their shared memory.
  await rm(file, { force: true });
  return undefined;
}

/** Fast shutdown: closes open connections and keeps committed data. */
export async function stopPostmaster(cluster: string): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (!postmaster) return;
  process.kill(postmaster.pid, 'SIGINT');
  const deadline = performance.now() + STOP_PATIENCE_MS;
  while (await isPostmaster(postmaster.pid, cluster)) {
    if (performance.now() > deadline) {
      throw new Error(
        `PostgreSQL (process ${postmaster.pid}) did not stop within ${STOP_PATIENCE_MS / 1000} s`,
      );
    }
    await sleep(20);
  }
}

async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  return (await processInfo(pid))?.commandLine.includes(`/postgres -D ${cluster} `) ?? false;
}
