/*
 * The server under test: `buildApi` as `lotward api` calls it, with the real logger (standard output) and the
 * real limiter. One number differs: the limit is 10^9 requests a minute instead of the edition's
 * 1,000, so that the limiter counts every request at the same cost and refuses none.
 */
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { buildApi } from '../../server/dist/app/api.js';
import { listen } from '../../server/dist/app/listen.js';
import { RATE_WINDOW_MS } from '../../server/dist/organizations/index.js';
import { openDatabase } from '../../server/dist/platform/database/index.js';
import { createLogger } from '../../server/dist/platform/logging/index.js';
import { memoryLimiter } from '../../server/dist/platform/rate-limit/index.js';
import { secretBox } from '../../server/dist/platform/secrets/index.js';
import { answerWith } from '../measure/processes.mjs';

const LIMIT = 1e9;
const migrationsDirectory = fileURLToPath(new URL('../../server/migrations', import.meta.url));

async function begin({ url, secretKey }) {
  const box = secretBox([secretKey]);
  const database = await openDatabase({ url, migrationsDirectory, box });
  const counter = memoryLimiter({ windowMs: RATE_WINDOW_MS, now: () => performance.now(), keysMax: 200_000 });
  const limiter = { take: (key) => counter.take(key, LIMIT) };
  const app = await buildApi({ database, box, limiter, logger: createLogger('info') });
  return { port: await listen(app, '127.0.0.1', 0) };
}

/** Only where the process was started with --expose-gc. */
function collect() {
  globalThis.gc();
  return { heapMegabytes: process.memoryUsage().heapUsed / 1_048_576 };
}

answerWith({ begin, collect });
