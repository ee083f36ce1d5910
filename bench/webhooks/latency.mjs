/*
 * How long after its commit an event reaches a partner. Offered at an even pace by another process, whether or not
 * earlier ones have arrived.
 */
import { ask } from '../measure/processes.mjs';
import { quartiles, sum } from '../measure/statistics.mjs';
import { ENDPOINTS_PER_ORGANIZATION, OWN_TYPES, SHARED_TYPE } from './records.mjs';
import { allSettled } from './tables.mjs';

const PATIENCE_MS = 30_000;

let marks = 0;

/** `fanOut`: all endpoints of an organization get each event; else each event goes to one, in turn. */
function happeningsOf({ orgIds }, { organizations, count, fanOut }) {
  return Array.from({ length: count }, (_, i) => {
    const organization = i % organizations;
    const own = Math.floor(i / organizations) % ENDPOINTS_PER_ORGANIZATION;
    const first = organization * ENDPOINTS_PER_ORGANIZATION;
    return {
      orgId: orgIds[organization],
      type: fanOut ? SHARED_TYPE : OWN_TYPES[own],
      marks: [++marks],
      endpoints: fanOut ? OWN_TYPES.map((_type, k) => first + k) : [first + own],
    };
  });
}

/** One round; the latency of every push in milliseconds, but for those to endpoints that hang. */
async function offer(bench, { perSecond, durationMs, fanOut, organizations, hanging }) {
  const { receiver, writer, data } = bench;
  const count = Math.round((perSecond * durationMs) / 1000);
  const happenings = happeningsOf(data, { organizations, count, fanOut });
  await ask(receiver.child, { kind: 'forget' }, PATIENCE_MS);
  const message = { kind: 'run', happenings, everyMs: 1000 / perSecond };
  const { committed } = await ask(writer.child, message, durationMs + PATIENCE_MS);
  const expected = happenings.flatMap(({ marks: [mark], endpoints }, i) =>
    endpoints
      .filter((endpoint) => !hanging.has(endpoint))
      .map((endpoint) => ({ key: `${endpoint} ${mark}`, atMs: committed[i] })),
  );
  const arrivals = await collect(receiver, expected);
  const latencies = expected
    .filter(({ key }) => arrivals.has(key))
    .map(({ key, atMs }) => arrivals.get(key) - atMs)
    .sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  const undelivered = expected.length - latencies.length;
  return { pushes: expected.length, undelivered, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** When each push arrived first; waits for those that are missing, for a while. */
async function collect(receiver, expected) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { times } = await ask(receiver.child, { kind: 'times' }, PATIENCE_MS);
    const arrivals = new Map(times.map(([endpoint, mark, atMs]) => [`${endpoint} ${mark}`, atMs]));
    if (expected.every(({ key }) => arrivals.has(key)) || performance.now() > deadline) return arrivals;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Rounds at one pace, with nothing to compare them to; `share` names the figure. */
export async function measureLatency(bench, { perSecond, fanOut, share }) {
  const { pace } = bench;
  const load = { perSecond, fanOut, organizations: pace.latencyOrganizations, hanging: new Set() };
  await offer(bench, { ...load, durationMs: pace.latencyRoundMs });
  const rounds = [];
  for (let i = 0; i < pace.rounds; i++)
    rounds.push(await offer(bench, { ...load, durationMs: pace.latencyRoundMs }));
  return {
    figure: quartiles(rounds.map((round) => round[share])),
    worst: quartiles(rounds.map((round) => round.p99)),
    pushes: sum(rounds.map((round) => round.pushes)),
    errors: sum(rounds.map((round) => round.undelivered)),
  };
}

/** The last endpoint of every organization hangs in the rounds of A, none in those of B. */
export async function compareHanging(bench, { perSecond }) {
  const { pace, receiver, writer, data } = bench;
  const organizations = pace.latencyOrganizations;
  const last = ENDPOINTS_PER_ORGANIZATION - 1;
  const hanging = Array.from({ length: organizations }, (_, i) => i * ENDPOINTS_PER_ORGANIZATION + last);
  const load = { perSecond, fanOut: false, organizations, hanging: new Set(hanging) };
  const calm = async () => {
    const found = await offer(bench, { ...load, durationMs: pace.hangingRoundMs });
    await allSettled(data.owner, PATIENCE_MS);
    return found;
  };
  const hung = async () => {
    await ask(receiver.child, { kind: 'hang', endpoints: hanging }, PATIENCE_MS);
    // As many as they take at once, so that they are all stuck from the beginning.
    const happenings = data.orgIds.slice(0, organizations).map((orgId) => ({
      orgId,
      type: OWN_TYPES[last],
      marks: Array.from({ length: 20 }, () => ++marks),
    }));
    await ask(writer.child, { kind: 'run', happenings, everyMs: 0 }, PATIENCE_MS);
    await new Promise((resolve) => setTimeout(resolve, pace.hangingLeadMs));
    const found = await offer(bench, { ...load, durationMs: pace.hangingRoundMs });
    await ask(receiver.child, { kind: 'hang', endpoints: [] }, PATIENCE_MS);
    await allSettled(data.owner, PATIENCE_MS);
    return found;
  };
  await calm();
  const before = [await calm()];
  const own = [];
  for (let i = 0; i < pace.rounds; i++) {
    own.push(await hung());
    before.push(await calm());
  }
  const ratios = own.map(({ p99 }, i) => p99 / ((before[i].p99 + before[i + 1].p99) / 2));
  const figures = (of) => ({ p50: quartiles(of.map((r) => r.p50)), p99: quartiles(of.map((r) => r.p99)) });
  return {
    p99: quartiles(ratios),
    hung: figures(own),
    calm: figures(before),
    pushes: sum([...own, ...before].map((round) => round.pushes)),
    undelivered: sum([...own, ...before].map((round) => round.undelivered)),
  };
}
