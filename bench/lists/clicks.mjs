/*
 * From the click on a list in the menu until its first rows are drawn, in a real Chromium. Before every click the console is loaded anew,
 * so nothing of the list is kept, and its code comes from the browser's cache.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../../console/test/harness/chromium.mjs';
import { sessionCookie } from '../../server/dist/access/index.js';
import { createUser } from '../../server/dist/people/index.js';
import { newSessionId, newSessionToken } from '../../server/dist/people/sign-in/session-token.js';
import { transact } from '../../server/dist/platform/database/index.js';
import { systemPrincipal } from '../../server/dist/platform/principal.js';
import { hashToken } from '../../server/dist/platform/secrets/index.js';
import { median, quantile } from '../measure/statistics.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const HOUR_MS = 3_600_000;

const LISTS = [
  '/orders',
  '/receipts',
  '/dispatches',
  '/products',
  '/partners',
  '/warehouses',
  '/expiring-stock',
  '/movements',
  '/holds',
  '/recalls',
  '/certificates',
  '/quality/nonconformities',
  '/quality/dispositions',
  '/environment/points',
  '/environment/alerts',
  '/events',
  '/webhooks',
  '/settings/audit',
];

/** A page without a list, from which all of them are opened. */
const START = '/account';

/** The times of each list. `sql` runs a statement as the owner of the database. */
export async function clickLists({ port, database, orgId, sql }, clicks) {
  buildConsole();
  const cookie = await signIn(database, orgId, sql);
  const url = `http://127.0.0.1:${port}`;
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 1000 } });
    await context.addCookies([{ ...cookie, url }]);
    const page = await context.newPage();
    const timed = [];
    for (const path of LISTS) {
      // The first one fetches the code of the page.
      await click(page, path);
      const times = [];
      for (let i = 0; i < clicks; i++) times.push(await click(page, path));
      timed.push({ path, p50: median(times), p95: quantile(times, 0.95) });
    }
    return timed;
  } finally {
    await browser.close();
  }
}

function buildConsole() {
  const built = spawnSync(process.execPath, [join(root, 'console', 'build.mjs'), '--when-stale'], {
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(built.stderr);
}

/** A session of an administrator as it is after the second factor. */
async function signIn(database, orgId, sql) {
  const now = new Date();
  const person = await transact(database, systemPrincipal(orgId, 'operator@bench.example'), (tx) =>
    createUser(tx, { email: 'admin@bench.example', role: 'admin' }),
  );
  const sessionId = newSessionId(now);
  const token = newSessionToken({ orgId, sessionId });
  await sql(
    `insert into sessions (org_id, session_id, user_id, secret_hash, state, created_at, last_seen_at, expires_at, address, second_factor_at,
       generation)
     select $1, $2, $3, $4, 'complete', $5, $5, $6, '127.0.0.1', $5, generation from accounts where email = $7`,
    [
      orgId,
      sessionId,
      person.userId,
      hashToken(token),
      now,
      new Date(now.getTime() + 12 * HOUR_MS),
      person.email,
    ],
  );
  const [name, value] = sessionCookie(false).give(token).split(';')[0].split('=');
  return { name, value };
}

async function click(page, path) {
  await page.goto(START);
  await page.waitForSelector(`nav a[href="${path}"]`);
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root'));
  return page.evaluate(timeToRows, path);
}

/** In the page: clicks without hovering first, which would load the page ahead, and waits for the frame that shows rows. */
async function timeToRows(path) {
  const link = document.querySelector(`nav a[href="${path}"]`);
  const startedMs = performance.now();
  link.click();
  await new Promise((resolve, reject) => {
    const look = () => {
      const isThere = location.pathname === path && document.querySelector('main tbody tr');
      if (isThere && !document.querySelector('main .mantine-Skeleton-root')) resolve();
      else if (performance.now() - startedMs > 60_000) reject(new Error(`${path} shows no rows`));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  // The next frame begins after this one was drawn.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - startedMs;
}
