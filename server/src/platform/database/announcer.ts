import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { clientFor } from './connect.js';
import { Pool } from './pool.js';
import { Servers } from './servers.js';
import { statement } from './statement.js';

/** Called with null when notifications may have been lost: anything in any organization may have changed. */
type Listener = (orgId: string | null) => void;

/**
 * Notifies other processes, after the commit, that there is work for an organization. A topic is named by the slice that
 * owns it. Only a hint: a notification may be lost, so listeners also poll.
 */
export interface Announcer {
  announce(topic: string, orgId: string): void;
  /** Returns a function that stops listening. */
  listen(topic: string, listener: Listener): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'lotward';
const RECONNECT_MS = 1_000;
const REST_MS = 5;
// A hint need not survive a crash, so its commit does not wait for the disk.
const notify = statement(
  `select set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', message) from unnest($1::text[]) as message`,
);

/** `listenTarget` bypasses a connection pooler: notifications reach only a persistent session. */
export function openAnnouncer(target: string | Servers, listenTarget: string | Servers = target): Announcer {
  const [servers, direct] = [target, listenTarget].map((each) =>
    typeof each === 'string' ? Servers.parse(each) : each,
  ) as [Servers, Servers];
  const self = randomBytes(6).toString('base64url');
  const listeners = new Map<string, Set<Listener>>();
  const notifyListeners = (topic: string, orgId: string | null) => {
    for (const listener of listeners.get(topic) ?? []) listener(orgId);
  };
  const outbound = openSender(servers);
  const inbound = openListener(direct, (message) => {
    if (message === null) {
      for (const topic of listeners.keys()) notifyListeners(topic, null);
      return;
    }
    const [topic, orgId, sender] = message.split(' ');
    if (topic && orgId && sender !== self) notifyListeners(topic, orgId);
  });
  return {
    announce(topic, orgId) {
      // This process is notified directly, and not again through the database.
      notifyListeners(topic, orgId);
      outbound.send(`${topic} ${orgId} ${self}`);
    },
    listen(topic, listener) {
      const known = listeners.get(topic) ?? new Set();
      listeners.set(topic, known.add(listener));
      inbound.open();
      return () => known.delete(listener);
    },
    async close() {
      listeners.clear();
      await Promise.all([outbound.close(), inbound.close()]);
    },
  };
}

/**
 * NOTIFY inside the write would serialize all commits. After it, notifications are batched into one statement. A
 * notification repeated immediately is delayed for a moment, which listeners pause for anyway, because each costs a
 * transaction and wakes every process.
 */
function openSender(servers: Servers) {
  const pool = new Pool(servers, 'lotward announcer', { connectionsMax: 1 });
  let waiting = new Set<string>();
  /** Messages sent a moment ago, and whether to send each again. */
  const resting = new Map<string, boolean>();
  let sending: Promise<void> | null = null;
  let closing = false;
  const flush = async () => {
    while (waiting.size > 0) {
      const messages = [...waiting];
      waiting = new Set();
      rest(messages);
      await pool.query(notify, [messages]).catch(() => {});
    }
    sending = null;
  };
  const rest = (messages: readonly string[]) => {
    for (const message of messages) resting.set(message, false);
    setTimeout(() => {
      const again = messages.filter((message) => resting.get(message));
      for (const message of messages) resting.delete(message);
      for (const message of again) send(message);
    }, REST_MS).unref();
  };
  const send = (message: string) => {
    if (resting.has(message) && !closing) {
      resting.set(message, true);
      return;
    }
    waiting.add(message);
    sending ??= flush();
  };
  return {
    send,
    async close() {
      closing = true;
      for (const [message, again] of resting) if (again) send(message);
      resting.clear();
      await sending;
      await pool.close();
    },
  };
}

/** One connection that listens; it reconnects when it breaks. */
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
      // Notifications sent before the connection existed are lost.
      onMessage(null);
    } catch {
      again();
    }
  };
  // Notifications are sent only on the current server, so the listener reconnects when it changes.
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
