// Ends what a test run leaves behind. A run that is interrupted or killed cannot do so itself; the end of this
// program's input, which the system closes with the run, is the signal.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [folder] = process.argv.slice(2);
const ROUNDS_MAX = 100;

/** A program that works in the folder names it in its arguments (PostgreSQL) or in its environment (Lotward). */
function processesIn(path) {
  const mentions = (pid, file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(path);
    } catch {
      return false;
    }
  };
  let pids = [];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    // No /proc on this system: only the folder is removed.
  }
  return pids
    .map(Number)
    .filter((pid) => pid !== process.pid && (mentions(pid, 'cmdline') || mentions(pid, 'environ')));
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

// Ctrl-C reaches the whole process group; the run may still be ending in good order.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.stdin.resume();
process.stdin.on('close', async () => {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const left = processesIn(folder);
    if (left.length === 0) break;
    for (const pid of left) end(pid);
    await sleep(50);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
});
