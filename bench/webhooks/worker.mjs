/*
 * The worker under test: `buildWorker` as `lotward worker` calls it, with the real logger (standard output). Partners
 * are on this machine, so that network is allowed; and what failed is tried again later than any round lasts.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWorker } from '../../server/dist/app/worker.js';
import { openDatabase } from '../../server/dist/platform/database/index.js';
import { createLogger } from '../../server/dist/platform/logging/index.js';
import { outboxMailer } from '../../server/dist/platform/mail/index.js';
import { secretBox } from '../../server/dist/platform/secrets/index.js';
import { answerWith } from '../measure/processes.mjs';

const migrationsDirectory = fileURLToPath(new URL('../../server/migrations', import.meta.url));

async function begin({ url, secretKey }) {
  const box = secretBox([secretKey]);
  const database = await openDatabase({ url, migrationsDirectory, box });
  const from = { name: 'Bench', address: 'no-reply@bench.example' };
  buildWorker({
    database,
    box,
    logger: createLogger('info'),
    mailer: outboxMailer({ directory: join(tmpdir(), 'lotward-bench-outbox'), from }),
    consoleUrl: 'https://console.bench.example',
    adminEmail: null,
    webhooks: { allowedNetworks: ['127.0.0.0/8'], retryDelaysMs: [3_600_000] },
  });
}

answerWith({ begin });
