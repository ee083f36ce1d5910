/*
 * How fast a backlog of pushes is drained. Alternating rounds, as in ../measure/compare.mjs: B A B A … B, each round of A
 * compared with the mean of the rounds of B before and after it.
 */
import { ask, cpuSeconds, postgresCpu, postgresSecondsSince } from '../measure/processes.mjs';
import { median, quartiles, sum } from '../measure/statistics.mjs';
import { ENDPOINTS_PER_ORGANIZATION, eventsOf } from './records.mjs';
import { allSettled, countAttempts, insertBacklog } from './tables.mjs';

const PATIENCE_MS = 60_000;

let rounds = 0;

/** One round: writes the backlog, measures the pushes alone, then checks everything that arrived. */
async function drain(bench, side, endpoints) {
  const { receiver, postmaster, pace } = bench;
  const round = ++rounds;
  const organizations = endpoints / ENDPOINTS_PER_ORGANIZATION;
  const perOrganization = Math.ceil(pace.pushes / endpoints);
  const backlog = { round, organizations, perOrganization };
  const count = perOrganization * endpoints;
  await ask(receiver.child, { kind: 'forget' }, PATIENCE_MS);
  const run = await side.prepare(backlog, count);
  const nodeBefore = cpuSeconds(side.pid);
  const postgresBefore = postgresCpu(postmaster);
  const seconds = await run();
  const node = cpuSeconds(side.pid) - nodeBefore;
  const postgres = postgresSecondsSince(postmaster, postgresBefore);
  const expected = { round, count, ordered: side.ours, trio: side.ours, capped: side.ours };
  const found = await ask(receiver.child, { kind: 'check', ...expected }, PATIENCE_MS);
  for (const example of found.examples) bench.say(`WRONG ${side.name}: ${example}`);
  return {
    pushes: count,
    rate: count / seconds,
    nodeMicros: (node * 1e6) / count,
    postgresMicros: (postgres * 1e6) / count,
    errors: found.faults,
    compared: found.compared,
    atOnce: found.mostAtOnce,
    connections: found.connections,
  };
}

/** The worker: from the commit that makes the backlog visible until everything is settled in the database. */
export const workerSide = ({ worker, receiver, data }) => ({
  name: 'worker',
  pid: worker.pid,
  ours: true,
  async prepare({ round, organizations, perOrganization }, count) {
    const { owner } = data;
    const noted = await countAttempts(owner);
    const publish = await insertBacklog(
      data,
      eventsOf(round, organizations, perOrganization),
      perOrganization,
    );
    return async () => {
      const startedAt = performance.now();
      await publish();
      await ask(receiver.child, { kind: 'arrived', count, patienceMs: PATIENCE_MS }, 2 * PATIENCE_MS);
      await allSettled(owner, PATIENCE_MS);
      const seconds = (performance.now() - startedAt) / 1000;
      const more = (await countAttempts(owner)) - noted;
      if (more !== count) throw new Error(`${more} attempts were noted for ${count} pushes`);
      return seconds;
    };
  },
});

/** A baseline that prepares and runs in a separate process. */
export const baselineSide = (name, { child, pid }) => ({
  name,
  pid,
  ours: false,
  async prepare(backlog) {
    await ask(child, { kind: 'prepare', ...backlog }, PATIENCE_MS);
    return async () => (await ask(child, { kind: 'run' }, PATIENCE_MS)).seconds;
  },
});

export async function compareDrains(bench, { subject, baseline, endpoints, times }) {
  for (let i = 0; i < bench.pace.drainWarmUps; i++) {
    await drain(bench, baseline, endpoints);
    await drain(bench, subject, endpoints);
  }
  const before = [await drain(bench, baseline, endpoints)];
  const own = [];
  for (let i = 0; i < times; i++) {
    own.push(await drain(bench, subject, endpoints));
    before.push(await drain(bench, baseline, endpoints));
  }
  const all = [...own, ...before];
  return {
    rate: quartiles(own.map(({ rate }, i) => rate / ((before[i].rate + before[i + 1].rate) / 2))),
    subject: medians(own),
    baseline: medians(before),
    pushes: sum(all.map((one) => one.pushes)),
    compared: sum(all.map((one) => one.compared)),
    errors: sum(all.map((one) => one.errors)),
    atOnce: Math.max(...own.map((one) => one.atOnce)),
    connections: sum(own.map((one) => one.connections)),
  };
}

function medians(of) {
  const figures = ['rate', 'nodeMicros', 'postgresMicros'];
  return Object.fromEntries(figures.map((name) => [name, median(of.map((round) => round[name]))]));
}

export function describeDrains({ subject, baseline, pushes, compared, errors, atOnce, connections }) {
  const side = (of) =>
    `${Math.round(of.rate)} pushes/s, node ${of.nodeMicros.toFixed(0)} + PG ${of.postgresMicros.toFixed(0)} µs a push`;
  return (
    `${side(subject)}; baseline ${side(baseline)}; ${pushes} pushes, ${compared} signatures compared, ` +
    `at most ${atOnce} seen at once by an endpoint, ${connections} connections opened by ours, ${errors} wrong`
  );
}
