import { ApiError, Unavailable, type UnavailableReason } from '../errors/index.js';

interface PostgresError extends Error {
  code?: string;
  constraint?: string;
  syscall?: string;
}

/** Transient errors, by the beginning of their code: the next attempt may succeed. */
const PASSING: readonly [code: RegExp, reason: UnavailableReason][] = [
  [/^53100/, 'storage_full'],
  [/^(53|25P0[34])/, 'overloaded'],
  [/^(55P03|40001|40P01)/, 'record_locked'],
  [/^57014/, 'too_slow'],
  [/^25006/, 'database_read_only'],
  [/^(08|57P0|3D000)/, 'database_unavailable'],
];
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

/** A server that listens on a path removes its socket when it stops. */
const hasNoSocket = (failure: PostgresError | null): boolean =>
  failure?.code === 'ENOENT' && failure.syscall === 'connect';

/** Translates an error of the driver into one that callers may see. */
export function translateDriverError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const failure = error as PostgresError | null;
  const code = failure?.code ?? '';
  const [, reason] = PASSING.find(([pattern]) => pattern.test(code)) ?? [];
  if (reason) return new Unavailable(reason, error);
  const isLost = NETWORK.has(code) || hasNoSocket(failure) || LOST.test(failure?.message ?? '');
  return isLost ? new Unavailable('database_unavailable', error) : error;
}
