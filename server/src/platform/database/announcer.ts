import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Pool } from './pool.js';
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

export function openAnnouncer(url: string): Announcer {
  const self = randomBytes(6).toString('base64url');
  const listeners = new Map<Topic, Set<Listener>>();
  const hear = (topic: Topic, orgId: string | null) => {
    for (const listener of listeners.get(topic) ?? []) listener(orgId);
  };
  const sender = openSender(url);
  const ear = openEar(url, (message) => {
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
      ear.open();
      return () => known.delete(listener);
    },
    async close() {
      listeners.clear();
      await Promise.all([sender.close(), ear.close()]);
    },
  };
}

/** Inside the write, NOTIFY would make all commits queue; afterwards, what gathers meanwhile goes in one statement. */
function openSender(url: string) {
  // A hint need not survive a crash: it does not wait for the disk.
  const pool = new Pool(url, 'lotward announcer', { connectionsMax: 1 }, '-c synchronous_commit=off');
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
function openEar(url: string, onMessage: (message: string | null) => void) {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let opened = false;
  let closed = false;
  const connect = async () => {
    const own = new pg.Client({
      connectionString: url,
      application_name: 'lotward listener',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client = own;
    let gone = false;
    const again = () => {
      if (gone) return;
      gone = true;
      void own.end().catch(() => {});
      if (!closed) timer = setTimeout(connect, RECONNECT_MS);
    };
    own.on('error', again);
    own.on('end', again);
    own.on('notification', (message) => onMessage(message.payload ?? null));
    try {
      await own.connect();
      await own.query(`listen ${CHANNEL}`);
      // Whatever was said before, nobody here heard it.
      onMessage(null);
    } catch {
      again();
    }
  };
  return {
    open() {
      if (!opened && !closed) void connect();
      opened = true;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
