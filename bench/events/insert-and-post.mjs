/*
 * The least that a stored push can cost: one insert, committed, then one signed POST. No numbering, no log, no order, no retries.
 */
import pg from 'pg';
import { answerWith } from '../measure/processes.mjs';
import { openPosts } from '../webhooks/post.mjs';
import { eventsOf } from '../webhooks/records.mjs';

let client;
let post;
let written = 0;

async function begin({ url, port }) {
  post = openPosts(port, false);
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'create table public.bench_events (id text primary key, at timestamptz not null, body text not null)',
  );
}

async function run({ count, endpoint }) {
  const [{ body }] = eventsOf(0, 1, 1);
  for (let i = 0; i < count; i++) {
    await client.query({
      name: 'store',
      text: 'insert into public.bench_events values ($1, now(), $2)',
      values: [`evt_${++written}`, body],
    });
    await post(endpoint, body);
  }
  return {};
}

answerWith({ begin, run });
