import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/harness/index.js';
import { openAnnouncer } from './announcer.js';

const POLLED = { timeout: 10_000, interval: 5 };

describe('announcements', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterAll(() => db.close());

  it('that repeat themselves at once reach other processes once, and again for what came after the first', async () => {
    const [sender, receiver] = [openAnnouncer(db.url), openAnnouncer(db.url)];
    const heard: (string | null)[] = [];
    receiver.listen('topic', (orgId) => heard.push(orgId));
    // Listening begins with the news that something may have been missed.
    await expect.poll(() => heard, POLLED).toEqual([null]);
    for (let i = 0; i < 100; i++) sender.announce('topic', 'org_a');
    sender.announce('topic', 'org_b');
    await expect.poll(() => heard.slice(1), POLLED).toEqual(['org_a', 'org_b', 'org_a']);
    await sender.close();
    await receiver.close();
  });

  it('are all sent before the sender is closed', async () => {
    const [sender, receiver] = [openAnnouncer(db.url), openAnnouncer(db.url)];
    const heard: (string | null)[] = [];
    receiver.listen('topic', (orgId) => heard.push(orgId));
    await expect.poll(() => heard, POLLED).toEqual([null]);
    for (const orgId of ['org_a', 'org_a']) sender.announce('topic', orgId);
    await sender.close();
    await expect.poll(() => heard.slice(1), POLLED).toEqual(['org_a', 'org_a']);
    await receiver.close();
  });
});
