/*
 * Other processes: started, asked over their channel, looked at through /proc, ended by their id.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux

export function requireProc() {
  if (!existsSync('/proc/self/stat')) throw new Error('The bench reads CPU time from /proc: it needs Linux.');
}

/** A module in a process of its own; its standard output, where the server logs, goes nowhere. */
export async function startPart(module, settings, execArgv = []) {
  const child = fork(module, [], {
    execArgv,
    stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit', 'ipc'],
  });
  const ready = await ask(child, { kind: 'begin', ...settings }, 30_000);
  return { pid: child.pid, child, ...ready };
}

/** One question to a part and its answer; a part that ends or says nothing is an error. */
export async function ask(child, message, patienceMs) {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const answered = once(child, 'message', { signal }).then(([answer]) => answer);
    const ended = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`process ${child.pid} ended with ${code}`);
    });
    const late = new Promise((_resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`process ${child.pid} does not answer`)), patienceMs);
      signal.addEventListener('abort', () => clearTimeout(timer));
    });
    child.send(message);
    const answer = await Promise.race([answered, ended, late]);
    if (answer.failed) throw new Error(answer.failed);
    return answer;
  } finally {
    settled.abort();
  }
}

/** The other side of `ask`. A part whose parent is gone ends. */
export function answerWith(handlers) {
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ kind, ...message }) => {
    try {
      process.send((await handlers[kind](message)) ?? {});
    } catch (error) {
      process.send({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}

export async function endPart({ child }) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
}

/** CPU seconds of a process, all its threads; 0 when it is gone. */
export function cpuSeconds(pid) {
  const fields = statFields(pid);
  return fields ? (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND : 0;
}

/** CPU seconds of each of PostgreSQL's processes. */
export const postgresCpu = (postmaster) =>
  new Map(childrenOf(postmaster).map((pid) => [pid, cpuSeconds(pid)]));

/** CPU seconds since an earlier look; those of a process that has ended meanwhile are missing. */
export const postgresSecondsSince = (postmaster, before) =>
  [...postgresCpu(postmaster)].reduce((total, [pid, cpu]) => total + cpu - (before.get(pid) ?? 0), 0);

/** Process ids by their parent's. */
export function childrenOf(parent) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(statFields(pid)?.[1]) === parent);
}

/** The fields of /proc/<pid>/stat after the name, which may hold spaces: state, parent, … */
function statFields(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

export function residentMegabytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)[1]) / 1024;
}

export function argumentsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
