import type { Browser, ConsoleMessage, Page, Request, Response } from 'playwright-core';
import { expect, vi } from 'vitest';
import { fullTier } from '../../../server/test/harness/index.js';
import type { Language } from '../../src/app/language.js';
import { type Keyboard, openKeyboard } from './keyboard.js';
import { loadTranslations, setLanguageOf } from './translation.js';

type Theme = 'light' | 'dark';

export interface Looks {
  language?: Language;
  theme?: Theme;
  width?: number;
}

/** Somebody in front of a browser of their own. */
export interface Visit {
  page: Page;
  /** Goes to a page of the console, from another one as a link does, and waits until it has everything it shows. */
  go(path: string): Promise<void>;
  /** Enters the address of a page: the console is loaded anew, and with it everything the page shows. */
  load(path: string): Promise<void>;
  /** Waits until nothing is being fetched and nothing says that it is on its way. */
  settle(): Promise<void>;
  /** Real keys, pressed by a scanner or by hand. */
  keyboard: Keyboard;
  /** A keyboard-wedge scanner as most are set: fast, ended by Enter, the group separator as Ctrl+]. */
  scan(code: string): Promise<void>;
  /** From the next load on it is that time. */
  livesIn(at: Date): Promise<unknown>;
  /** Expects a failed response: `401 GET /v2/session`. */
  expects(answer: RegExp): void;
  /** Ends the visit: nothing may have gone wrong that was not part of the story. */
  leave(): Promise<void>;
}

const WAIT_MS = 60_000;
const SAID_MAX = 300;
/** The browser's own message about a failed response, which the test checks anyway. */
const ABOUT_ANSWERS = /^Failed to load resource/;

/** A window of a browser that nobody sits at. */
interface BrowserWindow {
  page: Page;
  keyboard: Keyboard;
  language: Language;
  /** The time at which the console loads in it. */
  nowMs: number;
}
/** Windows whose visit is over, by browser. The next visit finds the console in the browser's cache. */
const idle = new Map<Browser, BrowserWindow[]>();

async function openWindow(
  browser: Browser,
  url: string,
  language: Language,
  now: Date,
): Promise<BrowserWindow> {
  const context = await browser.newContext({
    baseURL: url,
    locale: language === 'en' ? 'en-GB' : language,
    // Nothing moves on its way to where it is looked for.
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  // The service's time is the browser's: dates and "ago" are the same in every run.
  await context.addInitScript(standStill, now.getTime());
  await context.addInitScript(stopAnimations);
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  return { page, keyboard: await openKeyboard(page), language, nowMs: now.getTime() };
}

function takeIdleWindow(browser: Browser, language: Language, now: Date): BrowserWindow | undefined {
  const windows = idle.get(browser) ?? [];
  const at = windows.findIndex((each) => each.language === language && each.nowMs === now.getTime());
  return at === -1 ? undefined : windows.splice(at, 1)[0];
}

/** Removes what the visit left behind, so that the next person finds a browser as good as new. */
async function clear(browser: Browser, left: BrowserWindow): Promise<void> {
  const { page } = left;
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto(new URL('/healthz', page.url()).href);
  await page.context().clearCookies();
  idle.set(browser, [...(idle.get(browser) ?? []), left]);
}

/** Closes every window; those of a service that has ended are of no use to the next. */
export async function closeWindows(browser: Browser): Promise<void> {
  idle.delete(browser);
  for (const context of browser.contexts()) await context.close();
}

export async function beginVisit(
  browser: Browser,
  url: string,
  now: Date,
  { language = 'en', theme = 'light', width = 1280 }: Looks,
  cookie: string | null,
): Promise<Visit> {
  // Who is not signed in sees what a browser shows that was never here.
  const found = cookie === null ? undefined : takeIdleWindow(browser, language, now);
  const taken = found ?? (await openWindow(browser, url, language, now));
  const { page, keyboard } = taken;
  const context = page.context();
  keyboard.startAgain();
  setLanguageOf(page, language);
  if (fullTier && language !== 'en') await loadTranslations();
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: 900 });
  if (cookie !== null) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
  }
  let canBeUsedAgain = cookie !== null;
  const watched = watch(page);
  const settle = async () => {
    await vi.waitFor(
      async () => expect([...watched.underWay(), ...(await page.evaluate(findUnloaded))]).toEqual([]),
      { timeout: WAIT_MS, interval: 50 },
    );
  };
  const load = async (path: string) => {
    await page.goto(path);
    await settle();
  };
  return {
    page,
    settle,
    load,
    async go(path) {
      if (!(await page.evaluate(followLink, path))) return load(path);
      await settle();
    },
    livesIn: (at) => {
      canBeUsedAgain = false;
      return context.addInitScript(standStill, at.getTime());
    },
    keyboard,
    scan: (code) => keyboard.scan(code),
    expects: watched.expects,
    async leave() {
      const wrong = watched.stop();
      if (canBeUsedAgain && wrong.length === 0) await clear(browser, taken);
      else await context.close();
      expect(wrong).toEqual([]);
    },
  };
}

/** In the page: has the router of the console go there, and waits until it is drawn. False if the console is not open. */
async function followLink(path: string): Promise<boolean> {
  const { __TSR_ROUTER__: router } = globalThis as unknown as {
    __TSR_ROUTER__?: { subscribe(event: 'onRendered', listener: () => void): () => void };
  };
  if (!router) return false;
  await new Promise<void>((resolve) => {
    const wanted = new URL(path, location.href).pathname;
    const stop = router.subscribe('onRendered', () => {
      // The page before may have been on its way somewhere, too.
      if (location.pathname !== wanted) return;
      stop();
      resolve();
    });
    history.pushState({}, '', path);
  });
  return true;
}

/** In the page: the day and hour stay the same. When events happened and how long things take stays real. */
function standStill(nowMs: number): void {
  const Real = Date;
  window.Date = class extends Real {
    constructor(...given: []) {
      super(...((given.length === 0 ? [nowMs] : given) as []));
    }
    static override now = () => nowMs;
  } as DateConstructor;
}

/** In the page: a spinner or skeleton is drawn anew 60 times a second, which was a fifth of the work of a browser. */
function stopAnimations(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { animation: none !important }');
  document.addEventListener('DOMContentLoaded', () => document.adoptedStyleSheets.push(sheet));
}

/** Runs in the page: the parts that are still loading. */
function findUnloaded(): string[] {
  const waiting = [...document.querySelectorAll('.mantine-Skeleton-root, .mantine-Loader-root')];
  const missing = waiting.map((element) => element.className);
  if (!document.querySelector('h1')) missing.push('no heading');
  if (document.fonts.status !== 'loaded') missing.push('fonts');
  return missing;
}

function watch(page: Page) {
  const wrong: string[] = [];
  const expected: RegExp[] = [];
  const open = new Set<Request>();
  const nameOf = (url: string) => new URL(url).pathname;
  const onRequest = (request: Request) => {
    // News from the server: it does not end.
    if (nameOf(request.url()) !== '/stream') open.add(request);
  };
  const onFinished = (request: Request) => open.delete(request);
  const onFailed = (request: Request) => {
    open.delete(request);
    const why = request.failure()?.errorText ?? '';
    // Leaving a page cancels its open requests.
    if (why !== 'net::ERR_ABORTED') wrong.push(`${request.method()} ${nameOf(request.url())}: ${why}`);
  };
  const onResponse = (response: Response) => {
    if (response.status() >= 400)
      wrong.push(`${response.status()} ${response.request().method()} ${nameOf(response.url())}`);
  };
  const onError = (error: Error) => wrong.push(`error: ${error.stack ?? error.message}`);
  const onMessage = (message: ConsoleMessage) => {
    if (['error', 'warning'].includes(message.type()) && !ABOUT_ANSWERS.test(message.text()))
      wrong.push(`console: ${message.text().slice(0, SAID_MAX)}`);
  };
  page.on('request', onRequest).on('requestfinished', onFinished).on('requestfailed', onFailed);
  page.on('response', onResponse).on('pageerror', onError).on('console', onMessage);
  return {
    underWay: () => [...open].map((request) => request.url()),
    expects: (answer: RegExp) => {
      expected.push(answer);
    },
    /** Returns what went wrong that nobody expected. */
    stop: () => {
      page.off('request', onRequest).off('requestfinished', onFinished).off('requestfailed', onFailed);
      page.off('response', onResponse).off('pageerror', onError).off('console', onMessage);
      return wrong.filter((each) => !expected.some((pattern) => pattern.test(each)));
    },
  };
}
