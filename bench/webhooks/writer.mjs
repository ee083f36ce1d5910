/*
 * Where things happen: a process that writes events as business changes do, in a transaction each, at an even pace
 * and whether or not earlier ones have arrived.
 */
import { fileURLToPath } from 'node:url';
import { publishEvents } from '../../server/dist/events/index.js';
import { openDatabase, transact } from '../../server/dist/platform/database/index.js';
import { systemPrincipal } from '../../server/dist/platform/principal.js';
import { secretBox } from '../../server/dist/platform/secrets/index.js';
import { sampleOf } from '../../server/dist/webhooks/samples.rules.js';
import { answerWith } from '../measure/processes.mjs';

const migrationsDirectory = fileURLToPath(new URL('../../server/migrations', import.meta.url));
let database;

async function begin({ url, secretKey }) {
  database = await openDatabase({
    url,
    migrationsDirectory,
    box: secretBox([secretKey]),
  });
}

const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

/** Events of one organization, one change; answers when the commit was acknowledged. */
async function happen({ orgId, type, marks }) {
  await transact(database, systemPrincipal(orgId, 'someone@bench.example'), (tx) =>
    publishEvents(
      tx,
      marks.map((mark) => ({
        type,
        at: tx.now,
        entity: { type: 'product', id: `P-${mark}`, version: 1 },
        customerCode: null,
        data: { ...sampleOf(type, tx.now), mark },
      })),
    ),
  );
  return nowMs();
}

/** Makes each of these happen in its turn; answers when the commit of each was acknowledged. */
async function run({ happenings, everyMs }) {
  const committed = [];
  const startedAt = performance.now();
  for (const [i, happening] of happenings.entries()) {
    const waitMs = startedAt + i * everyMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    committed.push(happen(happening));
  }
  return { committed: await Promise.all(committed) };
}

/** Makes them happen one after the other, each when the one before is committed. */
async function sequence({ happenings }) {
  for (const happening of happenings) await happen(happening);
  return {};
}

answerWith({ begin, run, sequence });
