// A forked process for rate-limit.test.ts: takes as often as requested, and reports the results.
import { performance } from 'node:perf_hooks';
import { memoryLimiter } from './memory.js';
import { parentLimiter } from './parent.js';

const said = [];
const limiter = parentLimiter({
  fallback: memoryLimiter({ windowMs: 60_000, now: () => performance.now(), keysMax: 100 }),
  onFallback: (error) => said.push(`fallback: ${error.message}`),
  onRecovered: () => said.push('recovered'),
});

const take = (key, limit, times) =>
  Promise.all(Array.from({ length: times }, () => limiter.take(key, limit)));

process.on('message', async ({ order, key, limit, times }) => {
  if (order) process.send({ order, decisions: await take(key, limit, times), said });
});
process.on('disconnect', async () => {
  console.log(JSON.stringify({ decisions: await take('after the end', 1, 2), said }));
});
process.send({ ready: true });
