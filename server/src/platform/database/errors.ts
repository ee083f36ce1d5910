import { ApiError, Unavailable } from '../errors/index.js';

interface PostgresError extends Error {
  code?: string;
  constraint?: string;
}

/** Transient errors, such as outages, time-outs and overload: the next attempt may succeed. */
const PASSING = /^(08|53|57P0|57014|55P03|25006|25P03|25P04|3D000|40001|40P01)/;
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Client was closed|Query read timeout|Cannot use a pool)/;

export function isSerializationFailure(error: unknown): boolean {
  const code = (error as PostgresError | null)?.code;
  return code === '40001' || code === '40P01';
}

/** The constraint that refused a write, as it was named; a distributed database adds `_<shard>`. */
export function violatedConstraint(error: unknown): string | null {
  const failure = error as PostgresError | null;
  if (!failure?.code?.startsWith('23')) return null;
  const name = failure.constraint ?? /constraint "([^"]+)"/.exec(failure.message)?.[1];
  return name?.replace(/_\d+$/, '') ?? null;
}

/** Translates an error of the driver into one that callers may see. */
export function translateDriverError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const failure = error as PostgresError | null;
  const code = failure?.code ?? '';
  const passing = PASSING.test(code) || NETWORK.has(code) || LOST.test(failure?.message ?? '');
  return passing ? new Unavailable(error) : error;
}
