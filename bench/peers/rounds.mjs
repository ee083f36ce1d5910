/*
 * Rounds of one side, and their alternation: B A B A … B, each round of A compared with the mean of the rounds of B before and after it.
 */
import { ask } from '../measure/processes.mjs';
import { quartiles, sum } from '../measure/statistics.mjs';
import { cpuSecondsOf, untilQuiet } from './process-trees.mjs';
import { digitsOf } from './shapes.mjs';

export const CLIENTS = 64;
const PATIENCE_MS = 60_000;

const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

/** Publishes events at full rate; returns how many, which may be a few more than asked for. */
async function publish({ loader }, { target }, events) {
  const found = await ask(
    loader.child,
    { kind: 'run', target, connections: CLIENTS, requests: events, postmaster: target.pid },
    PATIENCE_MS,
  );
  const first = target.shape.firstNumber + target.published;
  target.published += found.requests;
  return {
    first,
    events: found.requests,
    refused: found.errors,
    pushes: found.requests * target.shape.endpointsPerTenant,
  };
}

/** From now, or from the first call, until the last push has arrived; its CPU until everything is stored. */
async function measure(bench, side, publishing) {
  const { receiver, say } = bench;
  const before = cpuSecondsOf(side.roots);
  const startedMs = nowMs();
  const { first, events, refused, pushes } = await publishing();
  const { lastAtMs, sample } = await ask(
    receiver.child,
    { kind: 'expect', pushes, patienceMs: PATIENCE_MS },
    2 * PATIENCE_MS,
  );
  await untilQuiet(side.roots, PATIENCE_MS);
  const cpu = cpuSecondsOf(side.roots) - before;
  const found = await ask(
    receiver.child,
    { kind: 'check', shape: side.target.shape, first, events },
    PATIENCE_MS,
  );
  for (const example of found.examples) say(`WRONG ${side.name}: ${example}`);
  if (refused > 0) say(`WRONG ${side.name}: ${refused} of ${events} calls refused`);
  return {
    pushes,
    rate: (pushes * 1e3) / (lastAtMs - startedMs),
    micros: (cpu * 1e6) / pushes,
    errors: found.faults + refused,
    /** The body of a push, split at its number. */
    template: sample.split(digitsOf(ORDER_NUMBER.exec(sample)?.[1])),
  };
}
const ORDER_NUMBER = /ord_peers_(\d+)/;

/** Calls and pushes at the same time. */
export async function pushAtOnce(bench, side, events) {
  await ask(bench.receiver.child, { kind: 'forget', signatureHeader: side.signatureHeader }, PATIENCE_MS);
  return measure(bench, side, () => publish(bench, side, events));
}

/** Events that wait for a delivery that is stopped; the time runs from when it goes on. */
export async function drain(bench, side, events) {
  await ask(bench.receiver.child, { kind: 'forget', signatureHeader: side.signatureHeader }, PATIENCE_MS);
  const signal = (name) => {
    for (const pid of side.deliveryPids) process.kill(pid, name);
  };
  let isStopped = true;
  signal('SIGSTOP');
  try {
    const published = await publish(bench, side, events);
    const { pushes } = await ask(bench.receiver.child, { kind: 'count' }, PATIENCE_MS);
    if (pushes > 0) throw new Error(`${side.name} pushed ${pushes} although its delivery is stopped`);
    return await measure(bench, side, async () => {
      signal('SIGCONT');
      isStopped = false;
      return published;
    });
  } finally {
    if (isStopped) signal('SIGCONT');
  }
}

/** The subjects beside one baseline, in alternating rounds. */
export async function compareSides(bench, { subjects, baseline, events, rounds, runRound }) {
  // The first warm-up shows the body of Lotward's pushes, which the peer sends too.
  for (const subject of subjects) {
    const { template } = await runRound(bench, subject, events);
    baseline.target.template ??= template;
  }
  await runRound(bench, baseline, events);
  const peer = [await runRound(bench, baseline, events)];
  const own = subjects.map(() => []);
  for (let i = 0; i < rounds; i++) {
    for (const [place, subject] of subjects.entries())
      own[place].push(await runRound(bench, subject, events));
    peer.push(await runRound(bench, baseline, events));
    bench.say(`${i + 1}: ${[...own.map((side) => side.at(-1)), peer.at(-1)].map(describeRound).join('; ')}`);
  }
  const ratios = (side, figure) =>
    quartiles(side.map((round, i) => round[figure] / ((peer[i][figure] + peer[i + 1][figure]) / 2)));
  return own.map((side) => ({
    rate: ratios(side, 'rate'),
    cpu: ratios(side, 'micros'),
    own: figuresOf(side),
    peer: figuresOf(peer),
    pushes: sum([...side, ...peer].map((round) => round.pushes)),
    errors: sum([...side, ...peer].map((round) => round.errors)),
  }));
}

const figuresOf = (rounds) => ({
  rate: quartiles(rounds.map(({ rate }) => rate)),
  micros: quartiles(rounds.map(({ micros }) => micros)),
});

const describeRound = ({ rate, micros }) => `${Math.round(rate)} pushes/s at ${Math.round(micros)} µs`;

/** Medians with their quartiles. */
export function describeSide({ rate, micros }) {
  const spread = ({ low, median, high }) => `${Math.round(median)} (${Math.round(low)}–${Math.round(high)})`;
  return `${spread(rate)} pushes/s at ${spread(micros)} µs of CPU a push`;
}
