/*
 * Two servers under the same load, turn about: B A B A … B. Each round of A is held against the mean of the
 * rounds of B before and after it, so that what the machine does meanwhile befalls both.
 */
import { fileURLToPath } from 'node:url';
import { ask, startPart } from './processes.mjs';
import { median, quartiles, sum } from './statistics.mjs';

/** `records`: the address of the module that says what is asked. */
export const startLoader = (records) =>
  startPart(fileURLToPath(new URL('load.mjs', import.meta.url)), { records });

/** `prepare` is called before each round, outside of what is timed, for servers that use up what they are asked for. */
export async function compare(loader, { subject, baseline, connections, postmaster, pace, prepare }) {
  const round = async (target, durationMs) => {
    await prepare?.(target, durationMs);
    const message = { kind: 'run', target, connections, durationMs, postmaster };
    const found = await ask(loader.child, message, durationMs + 20_000);
    // Warm-up included: where the next round goes on, and what must have been written.
    target.answered = (target.answered ?? 0) + found.requests;
    return found;
  };
  await round(baseline, pace.warmUpMs);
  await round(subject, pace.warmUpMs);
  const before = [await round(baseline, pace.roundMs)];
  const rounds = [];
  for (let i = 0; i < pace.rounds; i++) {
    rounds.push(await round(subject, pace.roundMs));
    before.push(await round(baseline, pace.roundMs));
  }
  const ratios = (figure) =>
    quartiles(rounds.map((own, i) => figure(own) / ((figure(before[i]) + figure(before[i + 1])) / 2)));
  const all = [...rounds, ...before];
  return {
    connections,
    rps: ratios((own) => own.rps),
    cpu: ratios((own) => own.nodeMicros + own.postgresMicros),
    subject: medians(rounds),
    baseline: medians(before),
    requests: sum(all.map((own) => own.requests)),
    errors: sum(all.map((own) => own.errors)),
    compared: sum(all.map((own) => own.compared)),
  };
}

function medians(rounds) {
  const figures = ['rps', 'nodeMicros', 'postgresMicros', 'p50', 'p99'];
  return Object.fromEntries(figures.map((name) => [name, median(rounds.map((round) => round[name]))]));
}

export const withQuartiles = ({ low, median: middle, high }) =>
  `${middle.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;

export function describe({ subject, baseline, rps, cpu, requests, errors, compared }) {
  const side = (of) =>
    `${Math.round(of.rps)} rps, node ${of.nodeMicros.toFixed(0)} + PG ${of.postgresMicros.toFixed(0)} µs, ` +
    `p50 ${of.p50.toFixed(2)}, p99 ${of.p99.toFixed(1)} ms`;
  return (
    `rps ${withQuartiles(rps)}, CPU ${withQuartiles(cpu)}: ${side(subject)}; baseline ${side(baseline)}; ` +
    `${requests} answers, ${compared} compared in full, ${errors} wrong`
  );
}
