import pg from 'pg';
import type { Servers } from './servers.js';

/** For one server: connection, login and the question what it is. */
const PROBE_MS = 2_000;

const session = `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

/** SQLSTATE of a connection that could not be established: it may well be possible later. */
const UNABLE_TO_CONNECT = '08001';

/** No server is there that may be worked with; says of each why not. */
class NoServerFits extends Error {
  readonly code = UNABLE_TO_CONNECT;
}

/** The server was reached, and is not what `target_session_attrs` asks for. */
class UnfitServer extends Error {
  readonly code = UNABLE_TO_CONNECT;
}

async function requireFit(client: pg.ClientBase, { attribute }: Servers): Promise<void> {
  if (attribute === 'any') return;
  const { rows } = await client.query<{ isStandby: boolean; isReadOnly: boolean }>(session);
  if (rows[0]?.isStandby) throw new UnfitServer('it is a standby');
  if (attribute === 'read-write' && rows[0]?.isReadOnly) throw new UnfitServer('it is read-only');
}

/** The search under way for each set of servers, shared by all connections opened meanwhile. */
const searches = new WeakMap<Servers, Promise<number>>();

function findFit(servers: Servers): Promise<number> {
  let search = searches.get(servers);
  if (!search) {
    search = probeInOrder(servers).finally(() => searches.delete(servers));
    searches.set(servers, search);
  }
  return search;
}

/** Beginning with the last that was fit: most failures pass. */
async function probeInOrder(servers: Servers): Promise<number> {
  const { urls, index: first } = servers;
  const reasons: string[] = [];
  for (let i = 0; i < urls.length; i++) {
    const index = (first + i) % urls.length;
    const connectionString = urls[index] as string;
    const limits = { connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS };
    const client = new pg.Client({ connectionString, application_name: 'lotward probe', ...limits });
    client.on('error', () => {});
    try {
      await client.connect();
      await requireFit(client, servers);
      servers.choose(index);
      return index;
    } catch (error) {
      reasons.push(`${client.host}:${client.port}: ${error instanceof Error ? error.message : error}`);
    } finally {
      // Not awaited: a server that fell silent would keep the next from being tried.
      void client.end().catch(() => {});
    }
  }
  throw new NoServerFits(`no server of DATABASE_URL can be used (${reasons.join('; ')})`);
}

type Done = (error: Error | null) => void;

/** The driver's client, which connects to whichever of the servers is fit when it does. */
export function clientFor(servers: Servers): typeof pg.Client {
  return class FailoverClient extends pg.Client {
    #server = servers.index;

    constructor(config?: pg.ClientConfig) {
      // With others to turn to, a server that does not answer is not waited for as long.
      const patience = servers.urls.length > 1 ? { connectionTimeoutMillis: PROBE_MS } : {};
      super({ ...config, ...patience, connectionString: servers.urls[servers.index] as string });
    }

    /** False: another server was chosen since this connection was made. */
    get isCurrent(): boolean {
      return this.#server === servers.index;
    }

    override connect(): Promise<this>;
    override connect(done: Done): void;
    override connect(done?: Done): Promise<this> | undefined {
      const connecting = this.#connect();
      if (!done) return connecting.then(() => this);
      connecting.then(() => done(null), done);
      return undefined;
    }

    async #connect(): Promise<void> {
      this.#server = servers.isSuspect ? await findFit(servers) : servers.index;
      if (servers.urls.length > 1) {
        const { host, port } = new pg.Client({ connectionString: servers.urls[this.#server] as string });
        Object.assign(this, { host, port });
      }
      try {
        await super.connect();
        await requireFit(this, servers);
      } catch (error) {
        servers.suspect();
        void super.end().catch(() => {});
        throw error;
      }
    }
  } as typeof pg.Client;
}

export const isCurrent = (client: pg.ClientBase): boolean =>
  (client as pg.ClientBase & { isCurrent: boolean }).isCurrent;

/** Repeats `connect` while it fails and another server might do, but not for ever: servers can come and go. */
export async function onAnyServer<T>(servers: Servers, connect: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connect();
    } catch (error) {
      const isHopeless = !servers.isSuspect || error instanceof NoServerFits;
      if (isHopeless || attempt >= servers.urls.length) throw error;
    }
  }
}

/** A connection by itself, beside the pools. */
export function connectClient(servers: Servers, config: pg.ClientConfig): Promise<pg.Client> {
  const Client = clientFor(servers);
  return onAnyServer(servers, () => {
    const client = new Client(config);
    client.on('error', () => {});
    return client.connect().then(() => client);
  });
}
