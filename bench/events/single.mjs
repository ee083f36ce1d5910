/*
 * One event after the other, each for one endpoint and in a transaction of its own, as fast as the writer commits: nothing can be combined at
 * its source. The baseline stores one row and posts, for each of them.
 */
import { ask, cpuSeconds, postgresCpu, postgresSecondsSince } from '../measure/processes.mjs';
import { median, quartiles, sum } from '../measure/statistics.mjs';
import { ENDPOINTS_PER_ORGANIZATION, OWN_TYPES } from '../webhooks/records.mjs';
import { allSettled } from '../webhooks/tables.mjs';

const PATIENCE_MS = 120_000;

export async function compareSingle(bench) {
  const { start, end, receiver, data, pace } = bench;
  const { url, secretKey } = data;
  const baseline = await start('insert-and-post.mjs', { url, port: receiver.port });
  const worker = await start('../webhooks/worker.mjs', { url, secretKey });
  const writer = await start('../webhooks/writer.mjs', { url, secretKey });
  const own = () => measured(bench, [worker, writer], () => publish(bench, writer));
  const bare = () => measured(bench, [baseline], () => post(bench, baseline));
  await bare();
  await own();
  const before = [await bare()];
  const rounds = [];
  for (let i = 0; i < pace.rounds; i++) {
    rounds.push(await own());
    before.push(await bare());
  }
  for (const part of [writer, worker, baseline]) await end(part);
  const total = (round) => round.node + round.postgres;
  const side = (of) => {
    const figure = (name) => median(of.map((round) => round[name])).toFixed(0);
    return `${figure('rate')} a second, node ${figure('node')} + PG ${figure('postgres')} µs`;
  };
  return {
    cpu: quartiles(rounds.map((round, i) => total(round) / ((total(before[i]) + total(before[i + 1])) / 2))),
    errors: sum([...rounds, ...before].map((round) => round.missing)),
    detail: `${side(rounds)}; baseline ${side(before)}; ${pace.singleEvents} a round`,
  };
}

async function measured({ receiver, postmaster, pace }, parts, work) {
  await ask(receiver.child, { kind: 'forget' }, PATIENCE_MS);
  const before = parts.map(({ pid }) => cpuSeconds(pid));
  const postgresBefore = postgresCpu(postmaster);
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const node = sum(parts.map(({ pid }, i) => cpuSeconds(pid) - before[i]));
  const postgres = postgresSecondsSince(postmaster, postgresBefore);
  const { count } = await ask(receiver.child, { kind: 'arrived', count: 0, patienceMs: 0 }, PATIENCE_MS);
  const micros = (cpu) => (cpu * 1e6) / pace.singleEvents;
  return {
    rate: pace.singleEvents / seconds,
    node: micros(node),
    postgres: micros(postgres),
    missing: Math.abs(pace.singleEvents - count),
  };
}

let marks = 0;

async function publish({ receiver, data, pace }, writer) {
  const happenings = Array.from({ length: pace.singleEvents }, () => ({
    orgId: data.orgIds[0],
    type: OWN_TYPES[0],
    marks: [++marks],
  }));
  await ask(writer.child, { kind: 'sequence', happenings }, PATIENCE_MS);
  const all = { kind: 'arrived', count: pace.singleEvents, patienceMs: PATIENCE_MS };
  await ask(receiver.child, all, 2 * PATIENCE_MS);
  await allSettled(data.owner, PATIENCE_MS);
}

const post = ({ pace }, baseline) =>
  ask(
    baseline.child,
    { kind: 'run', count: pace.singleEvents, endpoint: ENDPOINTS_PER_ORGANIZATION },
    PATIENCE_MS,
  );
