import { queueMail } from '../mailing/index.js';
import type { Tx } from '../platform/database/index.js';
import { plainName } from '../platform/mail/index.js';
import { writeDigest } from './digest.rules.js';
import { readDigest, readDigestReaders } from './digest.store.js';
import type { Listed } from './digest-content.js';

const ITEMS_MAX = 50;

/** Queues one mail per day for each administrator who opted in, unless there is nothing to report. */
export async function queueDigest(tx: Tx, consoleUrl: string): Promise<void> {
  const readers = await readDigestReaders(tx);
  if (readers.length === 0) return;
  const { certificates, batches, alerts } = await readDigest(tx, ITEMS_MAX);
  const content = { certificates: plain(certificates), batches: plain(batches), alerts: plain(alerts) };
  const mail = writeDigest(content, { day: tx.today, consoleUrl });
  if (!mail) return;
  // One mail each, so that recipients do not see each other.
  for (const email of readers)
    await queueMail(tx, { dedupeKey: `daily digest ${tx.today} ${email}`, to: [email], ...mail });
}

/** User-chosen names, without links and line breaks. */
const plain = <T extends object>({ items, total }: Listed<T>): Listed<T> => ({
  total,
  items: items.map((item) => {
    const entries = Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'string' ? plainName(value) : value,
    ]);
    return Object.fromEntries(entries) as T;
  }),
});
