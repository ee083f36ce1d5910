import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { allowedMs, type Figures, type Measured, type Overload, type Row } from './attack.js';
import { checkout, isOlder } from './service.js';

/** The same attacks on an older commit, measured once and kept. */
const BEFORE = fileURLToPath(new URL('before.json', import.meta.url));

interface Kept {
  commit: string;
  /** The highest load average at which a run began. */
  load: number;
  rows: Row[];
  overloads: Record<string, Overload>;
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const percent = (part: number) => `${Math.round(100 * part)} %`;
const figures = ({ p50, p99, errors, samples }: Figures) =>
  `${ms(p50)} / ${ms(p99)} ms, ${errors} of ${samples}`;

/** Writes the report of this version to `file`, or the figures of an older one to where the report finds them. */
export function writeReport(file: string, measured: readonly Measured[], loadBefore: number): void {
  if (isOlder) {
    keep(measured, loadBefore);
    return;
  }
  const before = existsSync(BEFORE) ? (JSON.parse(readFileSync(BEFORE, 'utf8')) as Kept) : null;
  const parts = [
    headOf(loadBefore),
    figureTable(measured, before),
    overloadTable(measured, before),
    attackList(measured),
  ];
  writeFileSync(file, `${parts.join('\n\n')}\n`);
}

/** Beside what is there: an attack can be measured again by itself. */
function keep(measured: readonly Measured[], load: number): void {
  const known: Kept = existsSync(BEFORE)
    ? JSON.parse(readFileSync(BEFORE, 'utf8'))
    : { commit: '', load: 0, rows: [], overloads: {} };
  const names = new Set(measured.map(({ attack }) => attack.name));
  const found = measured.flatMap(({ rows }) => rows);
  const overloads = Object.fromEntries(
    measured.flatMap(({ attack, done }) => (done.overload ? [[attack.name, done.overload]] : [])),
  );
  const kept: Kept = {
    commit: git('rev-parse', '--short', 'HEAD'),
    load: Math.max(known.load, load),
    rows: [...known.rows.filter(({ attack }) => !names.has(attack)), ...found],
    overloads: { ...known.overloads, ...overloads },
  };
  writeFileSync(BEFORE, `${JSON.stringify(kept, null, 2)}\n`);
}

const headOf = (loadBefore: number) => `# Noisy neighbours

${new Date().toISOString().slice(0, 10)}, commit ${git('rev-parse', '--short', 'HEAD')}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}, load before
${loadBefore.toFixed(1)}. Written by \`LOTWARD_TEST_TIER=full LOTWARD_REPORT=<file> npx vitest run server/test/neighbours\`.

An organization, the victim, sends 47 requests a second at fixed instants: who am I, inventory, new orders and their cancellation, and
\`/readyz\`. Each cancellation is pushed to its webhook; a push is timed from the cancellation to its arrival. It does so for 10 s alone
and for 12 s (25 s where a lock is held) under the attack, on the same freshly started processes: two of the API and one
worker, on one PostgreSQL. Victim, attacker and service are processes of their own and share the two cores.

The bound: under attack the p99 is at most twice the p99 without, or 100 ms if that is more, and nothing fails. An error is
any answer but 200, a push that does not arrive within 15 s, and anything not answered within 10 s.`;

function figureTable(measured: readonly Measured[], before: Kept | null): string {
  const earlier = ({ attack, group }: Row) => {
    const row = before?.rows.find((each) => each.attack === attack && each.group === group);
    return row ? `${figures(row.without)} → ${figures(row.during)}` : '';
  };
  const lines = measured
    .flatMap(({ rows }) => rows)
    .map((row) => {
      const { attack, group, without, during } = row;
      return `| ${attack} | ${group} | ${figures(without)} | ${figures(during)} | ${ms(allowedMs(without))} ms | ${earlier(row)} |`;
    });
  return [
    '## Figures',
    '',
    `p50 / p99, errors of all. The last column is the same attack on the commit before${before ? `, measured at loads of up to ${before.load.toFixed(1)}` : ''}.`,
    '',
    `| Attack | What is measured | Without | Under attack | p99 allowed | ${before?.commit ?? 'before'}: without → under attack |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

function overloadTable(measured: readonly Measured[], before: Kept | null): string {
  const cells = ({ capacity, perSecond, p99 }: Overload) =>
    `${Math.round(capacity)} | ${Math.round(perSecond)} | ${(perSecond / capacity).toFixed(2)} | ${ms(p99)} ms`;
  const lines = measured.flatMap(({ attack, done }) => {
    const earlier = before?.overloads[attack.name];
    return [
      ...(done.overload ? [`| ${attack.name} | ${cells(done.overload)} |`] : []),
      ...(earlier ? [`| the same, ${before?.commit} | ${cells(earlier)} |`] : []),
    ];
  });
  return [
    '## Overload',
    '',
    'Capacity is what 64 connections get answered in a closed loop. At four times that, goodput must be at least 0.8 of it, and the p99',
    'of what is answered at most 2 s.',
    '',
    '| Attack | Capacity (1/s) | Goodput (1/s) | Ratio | p99 of the answered |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

const attackList = (measured: readonly Measured[]): string =>
  [
    '## Attacks',
    '',
    'The last column names the test of `npm test` that protects the same by counting, without a clock.',
    '',
    '“Taken” is the part of the processors’ time that the host of this virtual machine took, without and under attack: where it is',
    'much, the figures say more about the host than about the service. An attack under which it was more than 5 % was measured up to',
    'three times, and the measurement counts in which it was least, not the one with the best figures.',
    '',
    '| Attack | What it does | What came of it | Taken | Counted by |',
    '| --- | --- | --- | --- | --- |',
    ...measured.map(
      ({ attack, done, taken }) =>
        `| ${attack.name} | ${attack.what} | ${done.did} | ${percent(taken.without)}, ${percent(taken.during)} | \`${attack.countedBy}\` |`,
    ),
  ].join('\n');

export const loadNow = (): number => loadavg()[0] ?? 0;
