import { readFileSync } from 'node:fs';

/** Columns of `cpu` in /proc/stat. */
const STEAL = 7;
const COUNTED = 8;

function cpuTimes(): number[] {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    return line
      .split(/ +/)
      .slice(1, 1 + COUNTED)
      .map(Number);
  } catch {
    // Not on Linux.
    return [];
  }
}

const sum = (times: readonly number[]) => times.reduce((all, time) => all + time, 0);

/**
 * The result of `work`, and the part of the processors' time that the host of this virtual machine took meanwhile. Figures
 * from a run in which that is much say more about the host than about the service.
 */
export async function whileHostTook<T>(work: () => Promise<T>): Promise<{ result: T; taken: number }> {
  const before = cpuTimes();
  const result = await work();
  const after = cpuTimes();
  const all = sum(after) - sum(before);
  return { result, taken: all > 0 ? ((after[STEAL] ?? 0) - (before[STEAL] ?? 0)) / all : 0 };
}
