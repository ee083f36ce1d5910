import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { it } from 'vitest';
import type {} from '../../../server/test/harness/global-setup.js';
import {
  fullTier,
  newOrganization,
  newSession,
  openTestDatabase,
  startApi,
  stockCatalogue,
  type TestDatabase,
  type TestPerson,
} from '../../../server/test/harness/index.js';
import { launchChromium } from './chromium.mjs';
import { beginVisit, closeWindows, type Looks, type Visit } from './visit.js';

type ApiOptions = NonNullable<Parameters<typeof startApi>[1]>;
type Role = TestPerson['role'];

const consoleDirectory = fileURLToPath(new URL('../..', import.meta.url));

/** One for all test files of a process. Null where none can be started; the tests are then skipped with the reason. */
let missing: string | null = null;
const browser: Browser | null = await launchChromium().catch((error: Error) => {
  missing = `Chromium cannot be started here: ${error.message.split('\n').slice(0, 3).join(' ')}`;
  console.warn(missing);
  return null;
});

/** Whether there is anything to prepare for tests in a browser. */
export const hasBrowser = browser !== null;

/** A busy machine is slow, and a test that hangs is still ended. */
const TIMEOUT_MS_MIN = 240_000;

/** A test in a real browser. Where there is none it is skipped and says why; it never passes unseen. */
export function inBrowser(name: string, timeoutMs: number, work: () => Promise<void>): void {
  it(name, { timeout: Math.max(timeoutMs, TIMEOUT_MS_MIN) }, async ({ skip }) => {
    if (missing !== null) skip(missing);
    await work().catch(async (error: Error) => {
      error.message += await describeOpenPages();
      throw error;
    });
  });
}

/** Only in the full tier: `npm test` tries what it is made of with another page, form or record. */
export function inFullTier(name: string, timeoutMs: number, work: () => Promise<void>): void {
  if (fullTier) inBrowser(name, timeoutMs, work);
  else it.skip(name);
}

const SEEN_MAX = 1_500;

/** The text of all open pages, for the message of a failed test. */
async function describeOpenPages(): Promise<string> {
  const pages = browser?.contexts().flatMap((context) => context.pages()) ?? [];
  const texts = await Promise.all(
    pages.map(async (page) => {
      const text = await page.locator('body').innerText();
      return `\n\n${page.url()}\n${text.replaceAll(/\s*\n\s*/g, ' | ').slice(-SEEN_MAX)}`;
    }),
  );
  return texts.join('');
}

/** The built console, served by the real server on a database of its own, with one organization in it. */
export async function openConsole(options: ApiOptions = {}, given?: TestDatabase) {
  const db = given ?? (await openTestDatabase());
  const api = await startApi(db.database, {
    consoleDirectory: join(consoleDirectory, 'dist'),
    ...options,
  });
  const world = await openOrganization(db, api);
  return {
    ...world,
    /** The world of another organization at the same service: a service of its own costs more than most tests. */
    beside: () => openOrganization(db, api),
    async close() {
      if (browser) await closeWindows(browser);
      await api.close();
      await db.close();
    },
  };
}

/** An organization with something in its catalogue, and the people who visit the console for it. */
async function openOrganization(db: TestDatabase, api: Awaited<ReturnType<typeof startApi>>) {
  const org = await newOrganization(db, { timeZone: 'UTC' });
  await stockCatalogue(api, org.key);
  const { orgId } = org.organization;
  const must = async <D>(method: string, path: string, body?: object, key = org.key): Promise<D> => {
    const answer = await api.call<D>(method, path, body, key);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  return {
    db,
    api,
    org,
    orgId,
    /** Calls the API with a key that may do everything. */
    must,
    /** A visit of a signed-in user with this role. */
    async enter(role: Role, looks: Looks = {}, orgOf = orgId): Promise<Visit & { email: string }> {
      const session = await newSession(db, orgOf, { role });
      const visit = await beginVisit(theBrowser(), api.url, db.clock.now(), looks, session.headers.cookie);
      return { ...visit, email: session.email };
    },
    /** A visit without a session. */
    async arrive(looks: Looks = {}): Promise<Visit> {
      const visit = await beginVisit(theBrowser(), api.url, db.clock.now(), looks, null);
      visit.expects(/^401 GET \/v2\/session$/);
      return visit;
    },
  };
}
export type ConsoleWorld = Awaited<ReturnType<typeof openOrganization>>;
export type ConsoleService = Awaited<ReturnType<typeof openConsole>>;

function theBrowser(): Browser {
  if (browser === null) throw new Error(missing ?? 'no browser');
  return browser;
}
