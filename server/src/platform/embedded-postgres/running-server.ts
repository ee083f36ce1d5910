import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartRefused } from '../start-refused.js';
import type { Binaries } from './binaries.js';
import { type Connection, readConnection, writeConnection } from './connection-file.js';
import { freePort } from './free-port.js';
import { type Lease, openLease } from './lease.js';
import type { Place } from './place.js';
import { findPostmaster, startPostmaster } from './postmaster.js';
import { lastWords, type Running } from './program.js';

const PATIENCE_MS = 30_000;

/** Failures worth a retry: the port was just taken, or a previous server is still stopping. */
const PASSING = /Address already in use|is still in use|"postmaster\.pid" already exists/;

/** Joins the server that runs on this database, or starts one. The caller must hold the exclusive claim. */
export async function runningServer(
  place: Place,
  binaries: Binaries,
): Promise<Connection & { lease: Lease }> {
  let connection = await readConnection(place);
  let started: Running | undefined;
  let lastError: unknown;
  const use = async (port: number) => {
    if (port === connection.port) return;
    connection = { ...connection, port };
    await writeConnection(place, connection);
  };

  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await sleep(30)) {
    if (started && hasEnded(started)) {
      const words = await lastWords(place, started.logStart);
      const killed = started.process.signalCode === 'SIGKILL';
      if (!killed && !PASSING.test(words)) throw new StartRefused(`PostgreSQL did not start; ${words}`);
      started = undefined;
    }
    if (!started) {
      const found = await findPostmaster(place.cluster);
      await use(found?.port ?? (await freePort(connection.port)));
      if (!found) {
        started = await startPostmaster(place, binaries, connection.port);
        started.process.unref();
      }
    }
    try {
      return { ...connection, lease: await openLease(connection) };
    } catch (error) {
      lastError = error;
      if (isRefusal(error)) {
        throw new StartRefused(`PostgreSQL in ${place.cluster} refuses us: ${error.message}`, {
          cause: error,
        });
      }
    }
  }
  const reason = lastError instanceof Error ? lastError.message : 'it does not respond';
  const words = await lastWords(place);
  throw new StartRefused(`PostgreSQL was not ready within ${PATIENCE_MS / 1000} s (${reason}); ${words}`);
}

const hasEnded = ({ process: { exitCode, signalCode } }: Running) => exitCode !== null || signalCode !== null;

/** A wrong password, a missing maintenance database or a full disk: waiting does not help. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /^(28|3D|53100)/.test((error as { code?: string }).code ?? '');
}
