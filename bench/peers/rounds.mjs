/*
 * Rounds of one side, and their alternation: B A B A … B, each round of A compared with the mean of the rounds of B before and after it.
 */
import { ask } from '../measure/processes.mjs';
import { median, quartiles, sum } from '../measure/statistics.mjs';
import { cpuByName, untilQuiet } from './process-trees.mjs';
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
  const before = cpuByName(side.roots);
  const startedMs = nowMs();
  const { first, events, refused, pushes } = await publishing();
  const { lastAtMs, sample } = await ask(
    receiver.child,
    { kind: 'expect', pushes, patienceMs: PATIENCE_MS },
    2 * PATIENCE_MS,
  );
  await untilQuiet(side.roots, PATIENCE_MS);
  const byName = Object.entries(cpuByName(side.roots)).map(([name, seconds]) => [
    name,
    ((seconds - (before[name] ?? 0)) * 1e6) / pushes,
  ]);
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
    micros: sum(byName.map(([, micros]) => micros)),
    byName: Object.fromEntries(byName),
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
  const goOn = stopProcesses(side.deliveryPids);
  try {
    const published = await publish(bench, side, events);
    const { pushes } = await ask(bench.receiver.child, { kind: 'count' }, PATIENCE_MS);
    if (pushes > 0) throw new Error(`${side.name} pushed ${pushes} although its delivery is stopped`);
    return await measure(bench, side, async () => {
      goOn();
      return published;
    });
  } finally {
    goOn();
  }
}

/** Stops processes; returns what lets them go on, which an interrupted run does too. */
function stopProcesses(pids) {
  const signals = ['SIGINT', 'SIGTERM'];
  const goOn = () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    for (const name of signals) process.off(name, interrupt);
  };
  const interrupt = () => {
    goOn();
    process.exit(1);
  };
  for (const name of signals) process.on(name, interrupt);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return goOn;
}

/** Lotward beside a peer, in alternating rounds. */
export async function compareSides(bench, { subject, baseline, events, rounds, runRound }) {
  // The warm-up shows the body of Lotward's pushes, which the peer sends too.
  ({ template: baseline.target.template } = await runRound(bench, subject, events));
  await subject.analyze();
  await runRound(bench, baseline, events);
  const peer = [await runRound(bench, baseline, events)];
  const own = [];
  for (let i = 0; i < rounds; i++) {
    own.push(await runRound(bench, subject, events));
    peer.push(await runRound(bench, baseline, events));
    bench.say(`${i + 1}: ${describeRound(own.at(-1))}; ${baseline.name} ${describeRound(peer.at(-1))}`);
  }
  const ratios = (figure) =>
    quartiles(own.map((round, i) => round[figure] / ((peer[i][figure] + peer[i + 1][figure]) / 2)));
  return {
    rate: ratios('rate'),
    cpu: ratios('micros'),
    own: figuresOf(own),
    peer: figuresOf(peer),
    pushes: sum([...own, ...peer].map((round) => round.pushes)),
    errors: sum([...own, ...peer].map((round) => round.errors)),
  };
}

const figuresOf = (rounds) => ({
  rate: quartiles(rounds.map(({ rate }) => rate)),
  micros: quartiles(rounds.map(({ micros }) => micros)),
  byName: Object.keys(rounds[0].byName).map((name) => [
    name,
    median(rounds.map(({ byName }) => byName[name] ?? 0)),
  ]),
});

const describeRound = ({ rate, micros }) => `${Math.round(rate)} pushes/s at ${Math.round(micros)} µs`;

/** Medians with their quartiles. */
export function describeSide({ rate, micros, byName }) {
  const spread = ({ low, median: middle, high }) =>
    `${Math.round(middle)} (${Math.round(low)}–${Math.round(high)})`;
  const shares = byName.filter(([, each]) => each >= 1).map(([name, each]) => `${name} ${Math.round(each)}`);
  return `${spread(rate)} pushes/s at ${spread(micros)} µs of CPU a push (${shares.join(' + ')})`;
}
