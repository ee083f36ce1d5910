/* Starts runners, and another in the place of one that did not come back in time. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./runner.mjs', import.meta.url));

/** @param {{ root: string, mutants?: object[], stopAtFirst?: boolean, limitMs: number }} settings */
export function openRunner({ limitMs, ...settings }) {
  let child = null;

  async function ask(message) {
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, AbortSignal.timeout(limitMs)]);
    child.send({ root: settings.root, ...message });
    try {
      return await Promise.race([
        once(child, 'message', { signal }).then(([answer]) => answer),
        once(child, 'exit', { signal }).then(() => ({ failed: ['the runner ended'], ran: 0 })),
      ]);
    } finally {
      done.abort();
    }
  }

  async function start() {
    // A group of its own, so that what it started, the database too, can be ended with it.
    child = fork(PROGRAM, { stdio: 'ignore', detached: true });
    await ask({ task: 'open', mutants: settings.mutants ?? [], stopAtFirst: settings.stopAtFirst ?? false });
  }

  function end() {
    if (child?.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    child = null;
  }

  return {
    /** @returns {Promise<{ failed: string[], ran: number, late?: boolean }>} */
    async run(what) {
      if (child?.exitCode !== null) child = null;
      if (child === null) await start();
      try {
        return await ask({ task: 'run', ...what });
      } catch (error) {
        if (error.name !== 'AbortError') throw error;
        end();
        return { failed: ['it took too long'], ran: 0, late: true };
      }
    },
    async close() {
      if (child === null) return;
      await ask({ task: 'close' }).catch(() => undefined);
      end();
    },
  };
}
