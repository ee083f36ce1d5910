/*
 * Two servers under the same load, turn about: B A B A … B. Each round of A is held against the mean of the
 * rounds of B before and after it, so that what the machine does meanwhile befalls both.
 */
import { ask } from './processes.mjs';
import { median, quartiles, sum } from './statistics.mjs';

export async function compare(loader, { subject, baseline, connections, postmaster, pace }) {
  const round = (target, durationMs) =>
    ask(loader.child, { kind: 'run', target, connections, durationMs, postmaster }, durationMs + 20_000);
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
