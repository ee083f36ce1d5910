import { Socket } from 'node:net';
import pg from 'pg';
import type { Connection } from './connection-file.js';

export const USER = 'lotward';
export const DATABASE = 'lotward';

/** Any number will do: nothing else takes advisory locks in the maintenance database. */
const LOCK = 1;

/**
 * A connection whose shared lock counts this process among the users. PostgreSQL itself takes the lock back
 * when the process dies, however it dies.
 */
export interface Lease {
  client: pg.Client;
  socket: Socket;
  lost: Promise<void>;
}

export async function openLease({ port, password }: Connection): Promise<Lease> {
  const socket = new Socket();
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: USER,
    password,
    database: 'postgres',
    ssl: false,
    application_name: 'lease',
    connectionTimeoutMillis: 5_000,
    stream: () => socket,
  });
  // A broken connection is noticed by `lost`; without a listener it would end the process.
  client.on('error', () => {});
  const lost = new Promise<void>((resolve) => client.once('end', resolve));
  try {
    await client.connect();
    await client.query('select pg_advisory_lock_shared($1)', [LOCK]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  // By itself it does not keep the process alive.
  socket.unref();
  return { client, socket, lost };
}

/** To be called exclusively. Returns whether this was the last user. */
export async function closeLease({ client, socket }: Lease): Promise<boolean> {
  socket.ref();
  try {
    // One's own shared lock is no obstacle to the exclusive one, every other user's is.
    const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [
      LOCK,
    ]);
    await client.query('select pg_advisory_unlock_all()');
    return rows[0]?.alone ?? false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
