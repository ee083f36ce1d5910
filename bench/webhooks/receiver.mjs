/*
 * All partners, in one process: every address of the loopback network on one port. It answers at once, or for
 * endpoints that are to hang not at all. What arrived is only kept; whether it is right is looked at afterwards.
 */
import { createServer } from 'node:net';
import { answerWith } from '../measure/processes.mjs';
import { findFaults, readPush } from './checks.mjs';
import { PER_ENDPOINT_MAX, pathOf } from './records.mjs';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok';
const PATH_AT = `POST ${pathOf('')}`.length;

let kept = [];
let wanted = Number.POSITIVE_INFINITY;
let onWanted = () => {};
let hanging = new Set();
/** Connections of endpoints that hang, each with a push that was not answered. */
let held = [];
/** Answered together at the end of a turn, so that pushes that come at once are seen to. */
let unanswered = [];
let turn = 0;
/** Pushes under way by endpoint, and the most there ever were. */
const open = new Map();
let mostAtOnce = 0;
let connections = 0;

/** Monotonic, and the same for all processes on this host. */
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

function change(counts, key, by) {
  const count = (counts.get(key) ?? 0) + by;
  counts.set(key, count);
  return count;
}

function answerAll() {
  for (const { reply } of unanswered) reply();
  unanswered = [];
  turn++;
}

function receive(push) {
  kept.push(push);
  mostAtOnce = Math.max(mostAtOnce, change(open, push.endpoint, 1));
  if (hanging.has(push.endpoint)) held.push(push);
  else if (unanswered.push(push) === 1) setImmediate(answerAll);
  if (kept.length === wanted) onWanted();
}

function serve(socket) {
  connections++;
  let text = '';
  let atMs = 0;
  let underWay = null;
  const settle = () => {
    if (underWay !== null) change(open, underWay, -1);
    underWay = null;
  };
  const reply = () => {
    settle();
    if (!socket.destroyed) socket.write(ANSWER, 'latin1');
  };
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('end', settle);
  socket.on('close', settle);
  socket.on('data', (chunk) => {
    if (text === '') atMs = nowMs();
    text += chunk.latin1Slice();
    const bodyAt = text.indexOf('\r\n\r\n') + 4;
    const length = bodyAt < 4 ? null : /\r\ncontent-length: (\d+)/i.exec(text);
    if (!length || text.length < bodyAt + Number(length[1])) return;
    underWay = Number(text.slice(PATH_AT, text.indexOf(' ', PATH_AT)));
    const push = { text, atMs, turn, endpoint: underWay, reply };
    text = '';
    receive(push);
  });
}

async function begin() {
  const server = createServer(serve);
  await new Promise((resolve) => server.listen({ port: 0, host: '0.0.0.0', backlog: 4096 }, resolve));
  return { port: server.address().port };
}

function forget() {
  kept = [];
  mostAtOnce = 0;
  connections = 0;
}

/** Resolves when this many have arrived, or after a time. */
async function arrived({ count, patienceMs }) {
  if (kept.length < count) {
    wanted = count;
    await new Promise((resolve) => {
      onWanted = resolve;
      setTimeout(resolve, patienceMs).unref();
    });
    wanted = Number.POSITIVE_INFINITY;
  }
  return { count: kept.length };
}

/** `capped`: also that no endpoint got too many at once. */
function check({ capped, ...expected }) {
  const { faults, compared } = findFaults(kept, expected);
  if (capped && mostAtOnce > PER_ENDPOINT_MAX) faults.push(`${mostAtOnce} pushes at once to an endpoint`);
  return { faults: faults.length, examples: faults.slice(0, 3), compared, mostAtOnce, connections };
}

/** When which event reached which endpoint. */
function times() {
  return {
    times: kept.map(({ text, atMs }) => {
      const { endpoint, event } = readPush(text);
      return [endpoint, event.data.mark, atMs];
    }),
  };
}

/** From now on these do not answer; those that are no more among them do. */
function hang({ endpoints }) {
  hanging = new Set(endpoints);
  for (const { reply } of held) reply();
  held = [];
}

answerWith({ begin, forget, arrived, check, times, hang });
