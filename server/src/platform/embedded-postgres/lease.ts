import { Socket } from 'node:net';
import pg from 'pg';
import type { Connection } from './connection-file.js';

export const USER = 'lotward';
export const DATABASE = 'lotward';

/** An arbitrary number: nothing else takes advisory locks in the maintenance database. */
const LOCK = 1;

/**
 * A connection whose shared lock counts this process as a user. PostgreSQL releases the lock when the process dies, for any
 * reason.
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
  // `lost` detects a broken connection; without a listener the event would end the process.
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
  // The connection alone must not keep the process alive.
  socket.unref();
  return { client, socket, lost };
}

/** Returns whether this was the last user. The caller must hold the exclusive claim. */
export async function closeLease({ client, socket }: Lease): Promise<boolean> {
  socket.ref();
  try {
    // The process's own shared lock does not conflict with its exclusive one; every other user's does.
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
