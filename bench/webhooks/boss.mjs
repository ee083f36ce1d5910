/*
 * BOSS: the same posts as jobs of pg-boss, one a push: noted, and tried again if one failed; no order, no limit per
 * endpoint, no log of attempts. Its fastest sensible way: jobs fetched and completed 500 at a time without their
 * metadata and without sorting by priority, in several loops, so that while one asks the database others post.
 */
import PgBoss from 'pg-boss';
import { answerWith } from '../measure/processes.mjs';
import { AT_ONCE, openPosts } from './post.mjs';
import { eventsOf, pushesOf } from './records.mjs';

const QUEUE = 'pushes';
const BATCH = 500;
const LOOPS = 3;
const INSERTED_AT_ONCE = 2_000;
let boss;
let post;
let jobs = 0;

async function begin({ url, port }) {
  post = openPosts(port, false);
  // Neither maintenance nor schedules run beside the rounds.
  boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  boss.on('error', (error) => process.stderr.write(`${error}\n`));
  await boss.start();
  await boss.createQueue(QUEUE);
}

/** Removes jobs that earlier rounds completed, as its maintenance would. */
async function prepare({ round, organizations, perOrganization }) {
  await boss.clearStorage();
  const pushes = pushesOf(eventsOf(round, organizations, perOrganization));
  for (let at = 0; at < pushes.length; at += INSERTED_AT_ONCE)
    await boss.insert(pushes.slice(at, at + INSERTED_AT_ONCE).map((data) => ({ name: QUEUE, data })));
  await boss.getDb().executeSql('analyze pgboss.job');
  jobs = pushes.length;
}

/** At most so many at once, over all loops. */
function limited(most) {
  let free = most;
  const waiting = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise((resolve) => waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

async function run() {
  const startedAt = performance.now();
  const inTurn = limited(AT_ONCE);
  let completed = 0;
  const loop = async () => {
    for (;;) {
      const batch = await boss.fetch(QUEUE, { batchSize: BATCH, includeMetadata: false, priority: false });
      if (batch.length === 0) return;
      await Promise.all(batch.map(({ data }) => inTurn(() => post(data.endpoint, data.body))));
      await boss.complete(
        QUEUE,
        batch.map(({ id }) => id),
      );
      completed += batch.length;
    }
  };
  await Promise.all(Array.from({ length: LOOPS }, loop));
  if (completed !== jobs) throw new Error(`${completed} of ${jobs} jobs completed`);
  return { seconds: (performance.now() - startedAt) / 1000 };
}

answerWith({ begin, prepare, run });
