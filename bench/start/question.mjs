/*
 * Target 13: from `npm start` to the first answered request, on a data folder that was started before.
 * Its idle memory is the first half of target 14.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../server/dist/platform/embedded-postgres/index.js';
import { argumentsOf, childrenOf, residentMegabytes } from '../measure/processes.mjs';
import { median } from '../measure/statistics.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 60_000;
const POLL_MS = 5;
const SETTLE_MS = 5_000;

export async function start({ pace, say }) {
  const plain = await startsOf('an empty database', { LOTWARD_DEMO: '0' }, pace, say);
  const demo = pace.quick ? null : await startsOf('the demo data', { LOTWARD_DEMO: '1' }, pace, say);
  const times = [plain, demo].filter((found) => found !== null);
  return [
    {
      number: '13',
      what: '`npm start` to first answered request, second start, embedded database',
      target: '≤ 3 s',
      reached: times.map((found) => `${found.seconds.toFixed(2)} s with ${found.what}`).join(', '),
      met: times.every((found) => found.seconds <= 3),
      errors: 0,
      detail: times
        .map((found) => `${found.what}: first ${found.first.toFixed(2)} s, then ${found.all}`)
        .join('; '),
    },
    {
      number: '14a',
      what: 'memory of an idle API process (`npm start`: API and worker)',
      target: '≤ 150 MB',
      reached: `${plain.megabytes.toFixed(0)} MB`,
      met: plain.megabytes <= 150,
      errors: 0,
      detail: `RSS ${SETTLE_MS / 1000} s after the first answer`,
    },
  ];
}

async function startsOf(what, env, pace, say) {
  const dataDir = mkdtempSync(join(tmpdir(), 'lotward-bench-start-'));
  try {
    const first = await startOnce(dataDir, env, 0);
    say(`first start with ${what}: ${first.seconds.toFixed(2)} s`);
    const again = [];
    for (let i = 0; i < pace.starts; i++) {
      again.push(await startOnce(dataDir, env, i === 0 ? SETTLE_MS : 0));
      say(`start with ${what}: ${again.at(-1).seconds.toFixed(2)} s`);
    }
    const seconds = again.map((one) => one.seconds);
    return {
      what,
      first: first.seconds,
      seconds: median(seconds),
      all: seconds.map((one) => one.toFixed(2)).join(' '),
      megabytes: again[0].megabytes,
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** One start, timed until something is answered, and its orderly end. */
async function startOnce(dataDir, env, settleMs) {
  const port = await freePort();
  const startedAt = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: root,
    // Nothing from our own environment that configures a server.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      LOTWARD_DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  npm.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const ended = once(npm, 'exit');
  try {
    while (!(await isAnswered(port))) {
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}:\n${said}`);
      if (performance.now() - startedAt > PATIENCE_MS)
        throw new Error(`npm start was not ready in time:\n${said}`);
      await sleep(POLL_MS);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    await sleep(settleMs);
    return { seconds, megabytes: residentMegabytes(serverBelow(npm.pid)) };
  } finally {
    const server = serverBelow(npm.pid);
    if (server !== undefined) process.kill(server, 'SIGTERM');
    await ended;
  }
}

/** The server among what npm started: npm, a shell, the server. */
function serverBelow(pid) {
  for (const child of childrenOf(pid)) {
    if (argumentsOf(child)[1]?.endsWith('lotward')) return child;
    const found = serverBelow(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isAnswered(port) {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
