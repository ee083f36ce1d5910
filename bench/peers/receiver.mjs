/*
 * All endpoints of all sides, in one process. It responds at once with 200 and remembers which event arrived where.
 */
import { createServer } from 'node:net';
import { answerWith } from '../measure/processes.mjs';
import { ENDPOINT_PATH, endpointsOf, ORDER_ID, tenantPlaceOf } from './shapes.mjs';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok';
const EXAMPLES = 3;

/** How often each event arrived at each endpoint. */
let arrivals = new Map();
let lastAtMs = 0;
let unsigned = 0;
let sample = '';
let signature = '';
let wanted = Number.POSITIVE_INFINITY;
let onWanted = () => {};

/** Monotonic, and the same for all processes on this host. */
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

function receive(text, bodyAt) {
  const key = `${ENDPOINT_PATH.exec(text)?.[1]} ${Number(ORDER_ID.exec(text)?.[1])}`;
  const times = arrivals.get(key) ?? 0;
  arrivals.set(key, times + 1);
  if (!text.slice(0, bodyAt).toLowerCase().includes(signature)) unsigned++;
  if (times > 0) return;
  lastAtMs = nowMs();
  if (sample === '') sample = text.slice(bodyAt);
  if (arrivals.size === wanted) onWanted();
}

function serve(socket) {
  let text = '';
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    text += chunk.latin1Slice();
    const bodyAt = text.indexOf('\r\n\r\n') + 4;
    const length = bodyAt < 4 ? null : /\r\ncontent-length: (\d+)/i.exec(text);
    if (!length || text.length < bodyAt + Number(length[1])) return;
    receive(text, bodyAt);
    text = '';
    socket.write(ANSWER, 'latin1');
  });
}

async function begin() {
  const server = createServer(serve);
  await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  return { port: server.address().port };
}

/** Before a round of the side that signs with this header. */
function forget({ signatureHeader }) {
  arrivals = new Map();
  unsigned = 0;
  sample = '';
  signature = `\r\n${signatureHeader}: `;
}

const count = () => ({ pushes: arrivals.size });

/** Resolves when this many different pushes have arrived, or after a time. */
async function expect({ pushes, patienceMs }) {
  if (arrivals.size < pushes) {
    let timer;
    await new Promise((resolve) => {
      wanted = pushes;
      onWanted = resolve;
      timer = setTimeout(resolve, patienceMs);
    });
    clearTimeout(timer);
    wanted = Number.POSITIVE_INFINITY;
  }
  return { lastAtMs, sample };
}

/** Every event must have arrived once at each endpoint of its tenant, signed, and nothing else. */
function check({ shape, first, events }) {
  const faults = [];
  let found = 0;
  for (let number = first; number < first + events; number++)
    for (const endpoint of endpointsOf(shape, tenantPlaceOf(shape, number))) {
      const times = arrivals.get(`${endpoint} ${number}`) ?? 0;
      if (times > 0) found++;
      if (times !== 1) faults.push(`event ${number} arrived ${times} times at endpoint ${endpoint}`);
    }
  if (found < arrivals.size) faults.push(`${arrivals.size - found} pushes of no event of this round`);
  if (unsigned > 0) faults.push(`${unsigned} pushes without a signature`);
  return { faults: faults.length, examples: faults.slice(0, EXAMPLES) };
}

answerWith({ begin, forget, count, expect, check });
