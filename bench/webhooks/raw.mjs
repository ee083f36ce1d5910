/*
 * RAW: the fastest way to post from Node. 50 at once, each signed; no database, no log, no order, no retries.
 */
import { answerWith } from '../measure/processes.mjs';
import { AT_ONCE, openPosts } from './post.mjs';
import { eventsOf, pushesOf } from './records.mjs';

let post;
let pushes = [];

function begin({ port, spread }) {
  post = openPosts(port, spread);
}

function prepare({ round, organizations, perOrganization }) {
  pushes = pushesOf(eventsOf(round, organizations, perOrganization));
}

async function run() {
  const startedAt = performance.now();
  let next = 0;
  const loop = async () => {
    while (next < pushes.length) {
      const { endpoint, body } = pushes[next++];
      await post(endpoint, body);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return { seconds: (performance.now() - startedAt) / 1000 };
}

answerWith({ begin, prepare, run });
