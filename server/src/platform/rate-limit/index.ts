import type { redisLimiter } from './redis.js';

export type { Decision, Limiter } from './limiter.js';
export { memoryLimiter } from './memory.js';
export { parentLimiter, serveLimiter } from './parent.js';

/** Loaded only if Redis is used: its client noticeably delays the start of every process. */
export const openRedisLimiter = async (
  options: Parameters<typeof redisLimiter>[0],
): Promise<ReturnType<typeof redisLimiter>> => (await import('./redis.js')).redisLimiter(options);
