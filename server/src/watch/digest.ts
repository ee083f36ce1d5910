import { queueMail } from '../mailing/index.js';
import type { Tx } from '../platform/database/index.js';
import { writeDigest } from './digest.rules.js';
import { readDigest, readDigestReaders } from './digest.store.js';

const ITEMS_MAX = 50;

/** Queues one mail per day for each administrator who opted in, unless there is nothing to report. */
export async function queueDigest(tx: Tx, consoleUrl: string): Promise<void> {
  const readers = await readDigestReaders(tx);
  if (readers.length === 0) return;
  const mail = writeDigest(await readDigest(tx, ITEMS_MAX), { day: tx.today, consoleUrl });
  if (!mail) return;
  // One mail each, so that recipients do not see each other.
  for (const email of readers)
    await queueMail(tx, { dedupeKey: `daily digest ${tx.today} ${email}`, to: [email], ...mail });
}
