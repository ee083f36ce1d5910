import pg from 'pg';
import type { Servers } from './servers.js';

/** Time to connect to one server, log in and read its state. */
const PROBE_MS = 2_000;

const session = `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

/** SQLSTATE of a connection that could not be established, or only to a server that accepts no writes. A later attempt may succeed. */
const UNABLE_TO_CONNECT = '08001';
const READ_ONLY = '25006';

/** No server can be used; the message gives the reason for each. */
class NoServerFits extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** The server was reached but does not satisfy `target_session_attrs`. */
class UnfitServer extends Error {
  readonly code = READ_ONLY;
}

async function requireFit(client: pg.ClientBase, { attribute }: Servers): Promise<void> {
  if (attribute === 'any') return;
  const { rows } = await client.query<{ isStandby: boolean; isReadOnly: boolean }>(session);
  if (rows[0]?.isStandby) throw new UnfitServer('it is a standby');
  if (attribute === 'read-write' && rows[0]?.isReadOnly) throw new UnfitServer('it is read-only');
}

/** The current search for each set of servers, shared by all connections opened meanwhile. */
const searches = new WeakMap<Servers, Promise<number>>();

function findFit(servers: Servers): Promise<number> {
  let search = searches.get(servers);
  if (!search) {
    search = probeInOrder(servers).finally(() => searches.delete(servers));
    searches.set(servers, search);
  }
  return search;
}

/** Starts with the server used last, because most failures are transient. */
async function probeInOrder(servers: Servers): Promise<number> {
  const { urls, index: first } = servers;
  const reasons: string[] = [];
  let code = UNABLE_TO_CONNECT;
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
      if (error instanceof UnfitServer) code = READ_ONLY;
      reasons.push(`${client.host}:${client.port}: ${error instanceof Error ? error.message : error}`);
    } finally {
      // Not awaited, because an unresponsive server would delay the next attempt.
      void client.end().catch(() => {});
    }
  }
  throw new NoServerFits(`no server of ${servers.setting} can be used (${reasons.join('; ')})`, code);
}

type Done = (error: Error | null) => void;

/** The driver's client, connecting to the server that is usable at that moment. */
export function clientFor(servers: Servers): typeof pg.Client {
  return class FailoverClient extends pg.Client {
    #server = servers.index;

    constructor(config?: pg.ClientConfig) {
      // With other servers to try, an unresponsive one gets less time.
      const patience = servers.urls.length > 1 ? { connectionTimeoutMillis: PROBE_MS } : {};
      super({ ...config, ...patience, connectionString: servers.urls[servers.index] as string });
      // A broken connection emits an event, busy or idle, which ends the process unless there is a listener. It may break
      // while logging in, so the listener is added before that. The current or next statement reports the error.
      this.on('error', () => {});
    }

    /** False if another server was chosen after this connection was opened. */
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

/** Retries `connect` up to a limit while another server might accept it, because servers can come and go. */
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

/** Opens a single connection outside the pools. */
export function connectClient(servers: Servers, config: pg.ClientConfig): Promise<pg.Client> {
  const Client = clientFor(servers);
  return onAnyServer(servers, () => {
    const client = new Client(config);
    return client.connect().then(() => client);
  });
}
