import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestService } from '../../../test/harness/index.js';
import { openWaitingMessages } from './waiting-messages.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

const open = (recorded: string[], countAgainMs?: number) =>
  openWaitingMessages({
    database: service.db.database,
    onMessage: async (_topic, payload) => {
      recorded.push(payload.toString());
    },
    onError: (error) => {
      throw error;
    },
    ...(countAgainMs === undefined ? {} : { countAgainMs }),
  });

it('a message that comes while the recorder finds nothing more is recorded too', async () => {
  const recorded: string[] = [];
  const waiting = await open(recorded);
  const { orgId } = service.org.organization;
  const isRecorded = (text: string) => recorded.includes(text);
  for (let round = 0; round < 60; round++) {
    const text = `message ${round}`;
    await waiting.add(orgId, 'a topic', Buffer.from(text));
    // The next one comes a little later each time: before, during and after the look that finds nothing.
    if (round % 2 === 0) await expect.poll(() => isRecorded(text), { interval: 1 }).toBe(true);
    for (let turn = 0; turn < round / 3; turn++) await new Promise(setImmediate);
  }
  await expect.poll(() => recorded.length, { timeout: 5_000 }).toBe(60);
  await waiting.stop();
});

it('a message that an earlier leader stores after the next one began is recorded by the next one', async () => {
  const recorded: string[] = [];
  const next = await open(recorded, 20);
  await service.db.sql(
    `insert into intake_messages (org_id, topic, payload, received_at) values ($1, 'a topic', 'late', now())`,
    [service.org.organization.orgId],
  );
  await expect.poll(() => recorded).toEqual(['late']);
  await next.stop();
});
