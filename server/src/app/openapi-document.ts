import { systemClock } from '../platform/clock/index.js';
import { type Database, openAnnouncer, Pool } from '../platform/database/index.js';
import { silentLogger } from '../platform/logging/index.js';
import { memoryLimiter } from '../platform/rate-limit/index.js';
import { secretBox } from '../platform/secrets/index.js';
import { buildApi } from './api.js';

/** The document as the running service returns it. The routes are only described, so no database is needed. */
export async function openApiDocument(): Promise<object> {
  const nobody = 'postgres://nobody@127.0.0.1:1/none';
  const nowhere = () => new Pool(nobody, 'openapi');
  const database: Database = {
    app: nowhere(),
    reader: nowhere(),
    probe: nowhere(),
    worker: nowhere(),
    replica: null,
    announcer: openAnnouncer(nobody),
    clock: systemClock,
    time: {
      ...systemClock,
      state: { isReliable: true, differenceMs: 0, description: '' },
      onChange: () => () => {},
    },
    close: async () => {},
  };
  const box = secretBox(['nothing is sealed with this']);
  const limiter = memoryLimiter({ windowMs: 1, now: () => 0, keysMax: 1 });
  const app = await buildApi({ database, box, limiter, logger: silentLogger(), consoleDirectory: null });
  const document = app.swagger();
  await app.close();
  return document;
}
