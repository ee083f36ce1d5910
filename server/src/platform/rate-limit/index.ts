export type { Decision, Limiter } from './limiter.js';
export { memoryLimiter } from './memory.js';
export { parentLimiter, serveLimiter } from './parent.js';
export { redisLimiter } from './redis.js';
