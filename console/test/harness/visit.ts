import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Language } from '../../src/app/language.js';
import { type Keyboard, openKeyboard } from './keyboard.js';

type Theme = 'light' | 'dark';

export interface Looks {
  language?: Language;
  theme?: Theme;
  width?: number;
}

/** Somebody in front of a browser of their own. */
export interface Visit {
  page: Page;
  /** Goes to a page of the console and waits until it has everything it shows. */
  go(path: string): Promise<void>;
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

export async function beginVisit(
  browser: Browser,
  url: string,
  now: Date,
  { language = 'en', theme = 'light', width = 1280 }: Looks,
  cookie: string | null,
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    locale: language === 'en' ? 'en-GB' : language,
    colorScheme: theme,
    // Nothing moves on its way to where it is looked for.
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    viewport: { width, height: 900 },
  });
  // The service's time is the browser's: dates and "ago" are the same in every run.
  await context.addInitScript(standStill, now.getTime());
  if (cookie !== null) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const watched = watch(page);
  const keyboard = await openKeyboard(page);
  const settle = async () => {
    await expect
      .poll(async () => [...watched.underWay(), ...(await page.evaluate(findUnloaded))], {
        timeout: WAIT_MS,
        interval: 50,
      })
      .toEqual([]);
  };
  return {
    page,
    settle,
    async go(path) {
      await page.goto(path);
      await settle();
    },
    livesIn: (at) => context.addInitScript(standStill, at.getTime()),
    keyboard,
    scan: (code) => keyboard.scan(code),
    expects: watched.expects,
    async leave() {
      const wrong = watched.wrong();
      await context.close();
      expect(wrong).toEqual([]);
    },
  };
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
  const open = new Set<object>();
  const nameOf = (url: string) => new URL(url).pathname;
  page.on('request', (request) => {
    // News from the server: it does not end.
    if (nameOf(request.url()) !== '/stream') open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => {
    open.delete(request);
    const why = request.failure()?.errorText ?? '';
    // Leaving a page cancels its open requests.
    if (why !== 'net::ERR_ABORTED') wrong.push(`${request.method()} ${nameOf(request.url())}: ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      wrong.push(`${response.status()} ${response.request().method()} ${nameOf(response.url())}`);
  });
  page.on('pageerror', (error) => wrong.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !ABOUT_ANSWERS.test(message.text()))
      wrong.push(`console: ${message.text().slice(0, SAID_MAX)}`);
  });
  return {
    underWay: () => [...open].map((request) => (request as { url(): string }).url()),
    wrong: () => wrong.filter((each) => !expected.some((pattern) => pattern.test(each))),
    expects: (answer: RegExp) => {
      expected.push(answer);
    },
  };
}
