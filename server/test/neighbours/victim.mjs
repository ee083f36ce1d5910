/*
 * The victim, in a process of its own, so that no attacker delays its clock: a few requests a second at fixed instants, also
 * while earlier ones are unanswered, and an endpoint that receives its pushes.
 */
import { Agent, createServer, request as httpRequest } from 'node:http';

const PATIENCE_MS = 10_000;
const PUSH_PATIENCE_MS = 15_000;
const ERRORS_SHOWN = 5;

/** Latencies and errors of one measurement, by group. */
class Tally {
  groups = {};

  #of(group) {
    this.groups[group] ??= { latencies: [], errors: 0, shown: [] };
    return this.groups[group];
  }

  add(group, ms) {
    this.#of(group).latencies.push(ms);
  }

  fail(group, what) {
    const of = this.#of(group);
    of.errors++;
    if (of.shown.length < ERRORS_SHOWN) of.shown.push(what);
  }

  summary() {
    return Object.fromEntries(
      Object.entries(this.groups).map(([name, { latencies, errors, shown }]) => {
        const sorted = latencies.sort((a, b) => a - b);
        const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
        return [
          name,
          { samples: sorted.length + errors, p50: at(0.5), p99: at(0.99), max: at(1), errors, shown },
        ];
      }),
    );
  }
}

const agents = new Map();
const agentFor = (from) => {
  if (!agents.has(from))
    agents.set(from, new Agent({ keepAlive: true, ...(from && { localAddress: from }) }));
  return agents.get(from);
};

function send(target, { method = 'GET', path, body, key, from }) {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const options = { method, headers, agent: agentFor(from), signal: AbortSignal.timeout(PATIENCE_MS) };
    const request = httpRequest(`${target}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Pushes that are to arrive: the instant at which each order was sent. */
const awaited = new Map();
let onPush = () => {};
const receiver = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    response.writeHead(204).end();
    const orderNo = /"orderNo":"([^"]+)"/.exec(text)?.[1];
    const sentAt = awaited.get(orderNo);
    if (sentAt === undefined) return;
    awaited.delete(orderNo);
    onPush(performance.now() - sentAt);
  });
});

let numbers = 0;

/** Sends a request and counts it; null when it failed. */
async function timed(name, group, target, request, tally) {
  const sentAt = performance.now();
  const tookMs = () => performance.now() - sentAt;
  try {
    const { status, text } = await send(target, request);
    if (status === 200) tally.add(group, tookMs());
    else tally.fail(group, `${name}: ${status} ${text.slice(0, 300)}`);
    return status === 200 ? text : null;
  } catch (error) {
    tally.fail(group, `${name}: ${error.code ?? error.name} after ${Math.round(tookMs())} ms`);
    return null;
  }
}

/** Requests that follow the success of a probe. */
const following = {
  /** Every cancellation is pushed. */
  async cancelOrder({ orderId, orderNo }, request, sendNext) {
    awaited.set(orderNo, performance.now());
    const body = '{"reason":"neighbours"}';
    if (!(await sendNext({ ...request, path: `/v2/orders/${orderId}/cancel`, body })))
      awaited.delete(orderNo);
  },
  async deleteWebhook({ webhookId }, { key, path }, sendNext) {
    await sendNext({ method: 'DELETE', path: `${path}/${webhookId}`, key });
  },
};

async function probeOnce(probe, target, tally) {
  const { name, group, method, path, body, keys, from, next } = probe;
  const n = String(++numbers);
  const filled = (text) => text?.replaceAll('{n}', n);
  const request = {
    method,
    path: filled(path),
    body: filled(body),
    key: keys?.[numbers % keys.length],
    from,
  };
  const text = await timed(name, group, target, request, tally);
  if (text === null || next === undefined) return;
  const sendNext = (following) => timed(next, group, target, following, tally);
  await following[next](JSON.parse(text).data, request, sendNext);
}

/** Sends each probe so many times a second, at instants that differ from probe to probe. */
function repeat(probe, index, { targets, durationMs }, tally) {
  const open = [];
  const startedAt = performance.now();
  const everyMs = 1000 / probe.perSecond;
  const count = Math.floor(durationMs / everyMs);
  let sent = 0;
  return new Promise((resolve) => {
    const next = () => {
      if (sent === count) return resolve(Promise.all(open));
      open.push(probeOnce(probe, targets[sent % targets.length], tally));
      sent++;
      setTimeout(next, Math.max(0, startedAt + index * 7 + sent * everyMs - performance.now()));
    };
    setTimeout(next, index * 7);
  });
}

async function pushesArrived() {
  const until = performance.now() + PUSH_PATIENCE_MS;
  while (awaited.size > 0 && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

async function measure({ probes, ...window }) {
  const tally = new Tally();
  onPush = (ms) => tally.add('pushes', ms);
  await Promise.all(probes.map((probe, i) => repeat(probe, i, window, tally)));
  await pushesArrived();
  for (const orderNo of awaited.keys()) tally.fail('pushes', `${orderNo} has not arrived`);
  awaited.clear();
  // Connections to processes that end are not to be used again.
  for (const agent of agents.values()) agent.destroy();
  return tally.summary();
}

process.on('disconnect', () => process.exit());
process.on('message', async (message) => {
  if (message.kind !== 'open') return process.send(await measure(message));
  receiver.listen(0, '127.0.0.1', () => process.send({ port: receiver.address().port }));
});
