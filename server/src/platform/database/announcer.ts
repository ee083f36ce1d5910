import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { clientFor } from './connect.js';
import { Pool } from './pool.js';
import { Servers } from './servers.js';
import { statement } from './statement.js';

/** What is announced: new events, and changed webhook configurations. */
export type Topic = 'events' | 'webhooks';

/** Null: anything may have happened, anywhere. */
type Listener = (orgId: string | null) => void;

/**
 * Tells other processes, after the commit, that there is something to do for an organization. Only a hint: one may be
 * lost, and whoever listens also looks for itself from time to time.
 */
export interface Announcer {
  announce(topic: Topic, orgId: string): void;
  /** Returns how to stop listening. */
  listen(topic: Topic, listener: Listener): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'lotward';
const RECONNECT_MS = 1_000;
const notify = statement(`select pg_notify('${CHANNEL}', message) from unnest($1::text[]) as message`);

export function openAnnouncer(target: string | Servers): Announcer {
  const servers = typeof target === 'string' ? Servers.parse(target) : target;
  const self = randomBytes(6).toString('base64url');
  const listeners = new Map<Topic, Set<Listener>>();
  const hear = (topic: Topic, orgId: string | null) => {
    for (const listener of listeners.get(topic) ?? []) listener(orgId);
  };
  const sender = openSender(servers);
  const inbound = openListener(servers, (message) => {
    if (message === null) {
      for (const topic of listeners.keys()) hear(topic, null);
      return;
    }
    const [topic, orgId, speaker] = message.split(' ');
    if (topic && orgId && speaker !== self) hear(topic as Topic, orgId);
  });
  return {
    announce(topic, orgId) {
      // This process hears it at once, and not again through the database.
      hear(topic, orgId);
      sender.send(`${topic} ${orgId} ${self}`);
    },
    listen(topic, listener) {
      const known = listeners.get(topic) ?? new Set();
      listeners.set(topic, known.add(listener));
      inbound.open();
      return () => known.delete(listener);
    },
    async close() {
      listeners.clear();
      await Promise.all([sender.close(), inbound.close()]);
    },
  };
}

/** Inside the write, NOTIFY would make all commits queue; afterwards, what gathers meanwhile goes in one statement. */
function openSender(servers: Servers) {
  // A hint need not survive a crash: it does not wait for the disk.
  const pool = new Pool(servers, 'lotward announcer', { connectionsMax: 1 }, '-c synchronous_commit=off');
  let waiting = new Set<string>();
  let sending: Promise<void> | null = null;
  const flush = async () => {
    while (waiting.size > 0) {
      const messages = [...waiting];
      waiting = new Set();
      await pool.query(notify, [messages]).catch(() => {});
    }
    sending = null;
  };
  return {
    send(message: string) {
      waiting.add(message);
      sending ??= flush();
    },
    async close() {
      await sending;
      await pool.close();
    },
  };
}

/** One connection that listens, made again when it breaks. */
function openListener(servers: Servers, onMessage: (message: string | null) => void) {
  const Client = clientFor(servers);
  let client: pg.Client | null = null;
  let listening: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let opened = false;
  let closed = false;
  const connect = async () => {
    const own = new Client({
      application_name: 'lotward listener',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client = own;
    let gone = false;
    const again = () => {
      if (gone) return;
      gone = true;
      listening = null;
      void own.end().catch(() => {});
      if (!closed) timer = setTimeout(connect, RECONNECT_MS);
    };
    own.on('error', again);
    own.on('end', again);
    own.on('notification', (message) => onMessage(message.payload ?? null));
    try {
      await own.connect();
      await own.query(`listen ${CHANNEL}`);
      listening = own;
      // Whatever was said before, nobody here heard it.
      onMessage(null);
    } catch {
      again();
    }
  };
  // Nothing is announced on a server that is no longer the chosen one.
  const stopFollowing = servers.onMove(() => void listening?.end().catch(() => {}));
  return {
    open() {
      if (!opened && !closed) void connect();
      opened = true;
    },
    async close() {
      closed = true;
      stopFollowing();
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
