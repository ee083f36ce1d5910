/*
 * Targets K1 to K4: what a person waits for who opens the console for the first time, in a real Chromium with an empty
 * cache, on a server with the demo data.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../../console/test/harness/chromium.mjs';
import { FIRST_LOAD_BYTES_MAX, watchWire } from '../../console/test/harness/wire.mjs';
import { freePort } from '../../server/dist/platform/embedded-postgres/index.js';
import { median, sum } from '../measure/statistics.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 120_000;
const POLL_MS = 100;
/** A demo user without a second factor; only the administrator needs one. */
const PERSON = { email: 'warehouse@demo.example', password: 'a password for one measurement' };

export async function consolePages({ pace, say }) {
  const built = spawnSync(process.execPath, [join(root, 'console', 'build.mjs'), '--when-stale'], {
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(built.stderr);
  const dataDir = mkdtempSync(join(tmpdir(), 'lotward-bench-console-'));
  const server = await startServer(dataDir);
  const browser = await launchChromium();
  try {
    say('demo data are there');
    const rows = [];
    for (const locale of ['en-GB', 'zh-CN'])
      for (const [what, cookie] of [
        ['sign-in page', null],
        ['overview', server.cookie],
      ]) {
        const loads = [];
        for (let i = 0; i < pace.pageLoads; i++) loads.push(await load(browser, server.url, locale, cookie));
        rows.push(rowOf(`K${rows.length + 1}`, `${what}, ${locale}`, loads));
        say(`${what}, ${locale}: ${rows.at(-1).reached}`);
      }
    return rows;
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function rowOf(number, what, loads) {
  const of = (name) => median(loads.map((each) => each[name]));
  const kinds = Object.keys(loads[0].kinds).map((kind) => {
    const kilobytes = median(loads.map((each) => each.kinds[kind] ?? 0)) / 1_000;
    return `${kind} ${kilobytes.toFixed(0)} kB`;
  });
  // Chinese letters are many: what a page needs of them comes after it can be read.
  const isBound = what.endsWith('en-GB');
  return {
    number,
    what: `first load of the ${what}: bytes over the wire; first contentful paint; long tasks`,
    target: isBound ? `≤ ${FIRST_LOAD_BYTES_MAX / 1_000} kB` : 'shown only',
    reached: `${(of('bytes') / 1_000).toFixed(0)} kB; ${of('paintMs').toFixed(0)} ms; ${of('longMs').toFixed(0)} ms`,
    met: of('bytes') <= FIRST_LOAD_BYTES_MAX,
    errors: 0,
    detail: `${of('requests')} requests, ${kinds.join(', ')}; everything shown after ${of('readyMs').toFixed(0)} ms; longest task ${of('longestMs').toFixed(0)} ms`,
  };
}

async function startServer(dataDir) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = spawn(process.execPath, [join(root, 'server', 'bin', 'lotward.mjs'), 'start'], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      LOTWARD_DATA_DIR: dataDir,
      LOTWARD_DEMO: '1',
      LOTWARD_ADMIN_PASSWORD: PERSON.password,
    },
    stdio: 'ignore',
  });
  const ended = once(program, 'exit');
  const stop = async () => {
    program.kill('SIGTERM');
    await ended;
  };
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(POLL_MS)) {
    if (program.exitCode !== null) throw new Error(`the server ended with ${program.exitCode}`);
    const cookie = await signIn(url).catch(() => null);
    if (cookie !== null) return { url, cookie, stop };
  }
  await stop();
  throw new Error('nobody could sign in in time');
}

async function signIn(url) {
  const answer = await fetch(`${url}/v2/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(PERSON),
  });
  if (answer.status !== 200) return null;
  const [name, value] = answer.headers.getSetCookie()[0].split(';')[0].split('=');
  return { name, value, url };
}

/** One load with nothing kept from before. */
async function load(browser, url, locale, cookie) {
  const context = await browser.newContext({ locale, viewport: { width: 1280, height: 800 } });
  try {
    if (cookie) await context.addCookies([cookie]);
    const page = await context.newPage();
    const wire = await watchWire(page);
    await page.addInitScript(() => {
      window.longTasks = [];
      new PerformanceObserver((list) => {
        window.longTasks.push(...list.getEntries().map((entry) => entry.duration));
      }).observe({ type: 'longtask', buffered: true });
    });
    await page.goto(url);
    await page.waitForFunction(
      () =>
        document.querySelector('h1') &&
        !document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') &&
        document.fonts.status === 'loaded' &&
        performance.getEntriesByName('first-contentful-paint').length > 0,
    );
    while (wire.open.size > 0) await sleep(POLL_MS / 10);
    const seen = await page.evaluate(() => ({
      paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      readyMs: Math.max(...performance.getEntriesByType('resource').map((entry) => entry.responseEnd)),
      longTasks: window.longTasks,
    }));
    return {
      ...seen,
      bytes: sum(Object.values(wire.kinds)),
      kinds: wire.kinds,
      requests: wire.requests(),
      longMs: sum(seen.longTasks),
      longestMs: Math.max(0, ...seen.longTasks),
    };
  } finally {
    await context.close();
  }
}
