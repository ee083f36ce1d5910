/*
 * CPU of whole process trees. A process that has ended is in the time of its parent, so none is lost: PostgreSQL's autovacuum ends often.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux
const PARENT = 1;
/** User and system time of the process, then of its ended children. */
const TIMES = [11, 12, 13, 14];
const QUIET_SECONDS = 2;
/** A share of one core, more than an idle broker takes. */
const QUIET_SHARE = 0.06;

function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const nameEnd = text.lastIndexOf(')');
    return {
      name: text.slice(text.indexOf('(') + 1, nameEnd),
      fields: text
        .slice(nameEnd + 2)
        .split(' ')
        .map(Number),
    };
  } catch {
    return null;
  }
}

/** These processes and all below them. */
function treeOf(roots) {
  const stats = new Map();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : null;
    if (stat) stats.set(Number(name), stat);
  }
  const found = new Map();
  const add = (pid) => {
    if (found.has(pid) || !stats.has(pid)) return;
    found.set(pid, stats.get(pid));
    for (const [child, { fields }] of stats) if (fields[PARENT] === pid) add(child);
  };
  roots.forEach(add);
  return found;
}

/** CPU seconds by the name of the process. */
export function cpuByName(roots) {
  const seconds = {};
  for (const { name, fields } of treeOf(roots).values()) {
    const ticks = TIMES.reduce((total, time) => total + fields[time], 0);
    seconds[name] = (seconds[name] ?? 0) + ticks / TICKS_PER_SECOND;
  }
  return seconds;
}

const cpuSecondsOf = (roots) => Object.values(cpuByName(roots)).reduce((total, each) => total + each, 0);

/** Names with their numbers, to see that nothing was left out. */
export function namesOf(roots) {
  const counts = new Map();
  for (const { name } of treeOf(roots).values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, times]) => (times === 1 ? name : `${times} × ${name}`)).join(', ');
}

/** Resolves when the trees have done nothing for a while: logs are written after the last push. */
export async function untilQuiet(roots, patienceMs) {
  const deadline = performance.now() + patienceMs;
  for (let quiet = 0; quiet < QUIET_SECONDS; ) {
    const before = cpuSecondsOf(roots);
    await sleep(1_000);
    quiet = cpuSecondsOf(roots) - before < QUIET_SHARE ? quiet + 1 : 0;
    if (performance.now() > deadline) throw new Error(`still busy: ${namesOf(roots)}`);
  }
}
