import type { Pool } from './pool.js';
import { statement } from './statement.js';

/** Key-value state of the installation as a whole, for slices that store a single value. */
type Session = Pick<Pool, 'query'>;

const insert = statement(
  'insert into instance_state (key, value) values ($1, $2) on conflict do nothing returning key',
);
const read = statement('select value from instance_state where key = $1');
const lock = statement('select value from instance_state where key = $1 for update');
const update = statement('update instance_state set value = $2 where key = $1');

/** Returns false if the key has a value; waits for a concurrent transaction that inserts it. */
export async function insertInstanceValue(session: Session, key: string, value: unknown): Promise<boolean> {
  return (await session.query(insert, [key, JSON.stringify(value)])).length > 0;
}

export async function readInstanceValue<T>(session: Session, key: string): Promise<T | null> {
  const [row] = await session.query<{ value: T }>(read, [key]);
  return row?.value ?? null;
}

/** Locked until the transaction ends. */
export async function lockInstanceValue<T>(session: Session, key: string): Promise<T | null> {
  const [row] = await session.query<{ value: T }>(lock, [key]);
  return row?.value ?? null;
}

export async function updateInstanceValue(session: Session, key: string, value: unknown): Promise<void> {
  await session.query(update, [key, JSON.stringify(value)]);
}
