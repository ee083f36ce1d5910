import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../src/platform/clock/index.js';
import { type Database, openDatabase } from '../../src/platform/database/index.js';
import { secretBox } from '../../src/platform/secrets/index.js';
import { TEST_SECRET_KEY } from '../harness/index.js';

type Limits = NonNullable<Parameters<typeof openDatabase>[0]['limits']>;

/** The pools of a process with limits of its own. */
export const openPools = (url: string, clock: Clock, limits: Limits = {}): Promise<Database> =>
  openDatabase({
    url,
    migrationsDirectory: fileURLToPath(new URL('../../migrations', import.meta.url)),
    box: secretBox([TEST_SECRET_KEY]),
    clock,
    limits,
  });

/** The network between the service and its database, which can fail in the ways networks do. */
export interface PostgresProxy {
  /** The database as reached through here. */
  url: string;
  /** Breaks every connection and refuses new ones: the server is down. */
  cut(): Promise<void>;
  /** Accepts connections and bytes but never responds: a hanging server or network. */
  freeze(): void;
  /** Forwards new traffic again; traffic sent in between is lost. */
  thaw(): void;
  /** Normal operation again, on new connections. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function openPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let frozen = false;
  const server: Server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!frozen) to.write(bytes);
      });
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('error', () => {});
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve());
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const hangUp = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const cut = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    hangUp();
    await closed;
  };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  url.searchParams.delete('host');
  return {
    url: url.toString(),
    cut,
    freeze() {
      frozen = true;
    },
    thaw() {
      frozen = false;
    },
    async restore() {
      frozen = false;
      hangUp();
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}
