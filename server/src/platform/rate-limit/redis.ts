import { Redis, type Result } from 'ioredis';
import type { Decision, Limiter } from './limiter.js';
import { Outage, type OutageEvents, withDeadline } from './outage.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeFromWindow(
      key: string,
      limit: number,
      windowMs: number,
      cost: number,
    ): Result<[allowed: 0 | 1, remaining: number, resetMs: number], Context>;
  }
}

/** The window is the lifetime of the key, so it follows the clock of Redis, the same for every host. */
const TAKE_FROM_WINDOW = `
  local limit = tonumber(ARGV[1])
  local windowMs = tonumber(ARGV[2])
  local cost = tonumber(ARGV[3])
  local count = tonumber(redis.call('GET', KEYS[1]) or 0)
  local resetMs = count > 0 and redis.call('PTTL', KEYS[1]) or windowMs
  if count >= limit then
    return { 0, 0, resetMs }
  end
  if cost > 0 and count == 0 then
    redis.call('SET', KEYS[1], cost, 'PX', windowMs)
  elseif cost > 0 then
    redis.call('INCRBY', KEYS[1], cost)
  end
  return { 1, math.max(0, limit - count - cost), resetMs }
`;

const ANSWER_WITHIN_MS = 200;
const RECONNECT_AFTER_MS = 500;
/** Time limit for connecting and for the handshake, on which no request waits. */
const CONNECT_WITHIN_MS = 1000;

/** Counts in Redis, exact across hosts; in `fallback` while Redis is unavailable. */
export function redisLimiter(
  options: { url: string; windowMs: number; prefix: string; fallback: Limiter } & OutageEvents,
): Limiter & { close(): void } {
  const { url, windowMs, prefix, fallback } = options;
  const outage = new Outage(options);
  const redis = new Redis(url, {
    enableAutoPipelining: true,
    // A command does not outlive its connection: the fallback takes over immediately.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => RECONNECT_AFTER_MS,
    connectTimeout: CONNECT_WITHIN_MS,
    socketTimeout: CONNECT_WITHIN_MS,
    disconnectTimeout: 10,
  });
  redis.defineCommand('takeFromWindow', { numberOfKeys: 1, lua: TAKE_FROM_WINDOW });

  // True from the start: the first requests wait for the connection, within the deadline.
  let usable = true;
  let closed = false;

  const failed = (error: Error) => {
    if (closed || !usable) return;
    usable = false;
    outage.begin(error);
    // Every failure is recovered in the same way, by a new connection.
    redis.disconnect(true);
  };
  redis.on('error', failed);
  redis.on('close', () => failed(new Error('the connection to Redis closed')));
  redis.on('ready', () => {
    usable = !closed;
  });

  const ask = async (key: string, limit: number, cost: number): Promise<Decision> => {
    try {
      const answer = redis.takeFromWindow(prefix + key, limit, windowMs, cost);
      const [allowed, remaining, resetMs] = await withDeadline(answer, ANSWER_WITHIN_MS);
      // Only a response ends an outage, not a connection: a full Redis accepts connections and then refuses commands.
      if (usable) outage.end();
      return { allowed: allowed === 1, remaining, resetMs };
    } catch (error) {
      failed(error as Error);
      return fallback.take(key, limit, cost);
    }
  };

  return {
    take: (key, limit, cost = 1) => (usable ? ask(key, limit, cost) : fallback.take(key, limit, cost)),
    close() {
      closed = true;
      usable = false;
      redis.disconnect();
    },
  };
}
