import { chown, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { findBinaries } from '../../src/platform/embedded-postgres/binaries.js';
import { readConnection } from '../../src/platform/embedded-postgres/connection-file.js';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import { choosePlace, type Place } from '../../src/platform/embedded-postgres/place.js';
import { type Running, run } from '../../src/platform/embedded-postgres/program.js';
import { Installation } from '../journeys/service-process.js';

const WAIT = { timeout: 60_000, interval: 50 };

interface Server {
  port: number;
  /** As the owner. */
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** Dies at once, as a machine does that loses its power. */
  kill(): Promise<void>;
}

export interface ReplicatedPostgres {
  primary: Server;
  /** Unless asked for otherwise a synchronous standby: it has every acknowledged commit. */
  standby: Server & { promote(): Promise<void> };
  /** `hosts` in the order given, as in DATABASE_URL. */
  urlOf(hosts: readonly Server[], parameters: string): string;
  /** Opens the passwords of the roles. */
  secretKey: string;
  close(): Promise<void>;
}

/** A real primary and a real streaming standby. */
export async function openReplicatedPostgres({ isSynchronous = true } = {}): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'lotward-replicated-'));
  // Made and migrated once for all tests that need such a folder.
  const home = await new Installation().prepare();
  const [primaryPlace, standbyPlace] = [home.dataDir, join(folder, 'b')];
  const places = { primary: await choosePlace(primaryPlace), standby: await choosePlace(standbyPlace) };
  const binaries = await findBinaries(places.primary);
  const { password } = await readConnection(places.primary);
  await copyCluster(places.primary, places.standby);
  const ports = { primary: await freePort(), standby: await freePort() };
  const login = `user=lotward password=${password}`;
  const urlOf = (hosts: readonly { port: number }[], parameters: string) =>
    `postgres://lotward:${password}@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')}/lotward${parameters}`;

  const servers: Running[] = [];
  const start = async (place: Place, port: number, settings: Record<string, string>): Promise<Server> => {
    const all = {
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      shared_buffers: '32MB',
      wal_keep_size: '256MB',
      max_connections: '200', // As the folder was made with: a standby may not have fewer.
      ...settings,
    };
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const running = await run(place, binaries.postgres, ['-D', place.cluster, ...options]);
    servers.push(running);
    const url = urlOf([{ port }], '').replace(/lotward$/, 'postgres');
    const sql = async (text: string) => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => {});
      await client.connect();
      return (await client.query(text).finally(() => client.end())).rows;
    };
    await vi.waitFor(() => sql('select 1'), WAIT);
    return {
      port,
      sql,
      async kill() {
        // The whole process group is killed, so that no child of it answers any more.
        if (running.process.exitCode === null) process.kill(-(running.process.pid ?? 0), 'SIGKILL');
        await running.exitCode;
      },
    };
  };
  const primary = await start(places.primary, ports.primary, {});
  const standby = await start(places.standby, ports.standby, {
    primary_conninfo: `host=127.0.0.1 port=${ports.primary} application_name=standby ${login}`,
  });
  await vi.waitFor(
    async () => expect(await primary.sql('select 1 from pg_stat_replication')).toHaveLength(1),
    WAIT,
  );
  if (isSynchronous) await awaitStandby(primary);
  return {
    primary,
    standby: {
      ...standby,
      async promote() {
        // Promoted by a call and not by pg_ctl: it is the same, and needs no account.
        await standby.sql('select pg_promote()');
      },
    },
    urlOf,
    secretKey: await readFile(join(home.dataDir, 'secret.key'), 'utf8'),
    async close() {
      for (const server of servers) {
        if (server.process.exitCode === null && server.process.signalCode === null)
          process.kill(-(server.process.pid ?? 0), 'SIGKILL');
        await server.exitCode;
      }
      for (const path of [...Object.values(places).map((place) => place.home), folder])
        await rm(path, { recursive: true, force: true });
      await home.remove();
    },
  };
}

async function awaitStandby(primary: Server): Promise<void> {
  await primary.sql(`alter system set synchronous_standby_names = 'standby'`);
  await primary.sql(`alter system set synchronous_commit = 'remote_apply'`);
  await primary.sql('select pg_reload_conf()');
}

/** Before either was started a copy of the files is a base backup. */
async function copyCluster(from: Place, to: Place): Promise<void> {
  await cp(from.cluster, to.cluster, { recursive: true });
  await writeFile(join(to.cluster, 'standby.signal'), '');
  const { account } = to;
  if (!account) return;
  const all = await readdir(to.cluster, { recursive: true });
  for (const name of ['', ...all]) await chown(join(to.cluster, name), account.uid, account.gid);
}
