import type { Locator, Page } from 'playwright-core';
import { wordOf } from './translation.js';
import type { Visit } from './visit.js';

/** A field by its label. */
export const field = (within: Page | Locator, label: string | RegExp): Locator =>
  within
    .locator('input, textarea')
    .and(within.getByLabel(typeof label === 'string' ? wordOf(within, label) : label));

type Role = 'button' | 'link' | 'checkbox' | 'radio' | 'tab' | 'menuitem' | 'option' | 'heading' | 'combobox';

/** A control by its whole name, in the language of the window. */
export const control = (within: Page | Locator, role: Role, name: string | RegExp): Locator =>
  within.getByRole(
    role,
    typeof name === 'string' ? { name: wordOf(within, name, { exact: true }), exact: true } : { name },
  );

export const button = (within: Page | Locator, name: string | RegExp): Locator =>
  control(within, 'button', name);

export const link = (within: Page | Locator, name: string | RegExp): Locator => control(within, 'link', name);

/** The heading of a page. */
export const title = (page: Page, name: string): Locator =>
  page.getByRole('heading', { name: wordOf(page, name), level: 1 });

/** A text anywhere, in the language of the window. */
export const text = (within: Page | Locator, words: string, { exact = false } = {}): Locator =>
  within.getByText(wordOf(within, words, { exact }), { exact });

export const dialog = (page: Page): Locator => page.getByRole('dialog');

/** Types into a field with suggestions, and chooses the matching one. */
export async function choose(page: Page, label: string, typed: string, meant: string): Promise<void> {
  await field(page, label).fill(typed);
  await page.getByRole('option', { name: meant }).click();
}

/** A table of a printed sheet: for each row, its cells. An instant or a day is read as it is stored. */
interface PrintedTable {
  label: string;
  names: string[];
  rows: string[][];
}

/** The texts of a printed sheet, by name and by table. */
export const readSheet = (page: Page): Promise<{ facts: Record<string, string>; tables: PrintedTable[] }> =>
  page.locator('.print-sheet').evaluate((sheet) => {
    const textOf = (element: Element | null) => {
      const copy = element?.cloneNode(true) as Element | undefined;
      for (const line of copy?.querySelectorAll('div') ?? []) line.append('\n');
      for (const time of copy?.querySelectorAll('time') ?? []) time.textContent = time.dateTime;
      return copy?.textContent?.trim() ?? '';
    };
    const all = (within: Element, selector: string) => [...within.querySelectorAll(selector)].map(textOf);
    return {
      facts: Object.fromEntries(
        [...sheet.querySelectorAll('dt')].map((name) => [textOf(name), textOf(name.nextElementSibling)]),
      ),
      tables: [...sheet.querySelectorAll('table')].map((table) => ({
        label: table.getAttribute('aria-label') ?? '',
        names: all(table, 'thead th'),
        rows: [...table.querySelectorAll('tbody tr')].map((row) => all(row, 'th, td')),
      })),
    };
  });

/** Waits for the notification that an action succeeded. */
export const said = (page: Page, words: string | RegExp): Promise<void> =>
  page
    .getByRole('alert')
    .filter({ hasText: typeof words === 'string' ? wordOf(page, words) : words })
    .first()
    .waitFor();

/** Opens a page by the main menu, which a phone shows on demand. */
export async function followMenu(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: wordOf(page, 'Main menu') });
  if (!(await menu.isVisible())) await button(page, 'Menu').click();
  await link(menu, name).click();
}

/** Chooses the language in the menu, whose own name is in the language before. */
export async function speak({ page, settle }: Visit, menu: string, language: string): Promise<void> {
  // A notification stays in the language in which it was shown.
  const isQuiet = () => document.querySelector('.mantine-Notification-root') === null;
  await page.waitForFunction(isQuiet, undefined, { polling: 200 });
  await button(page, menu).click();
  await page.getByRole('menuitem', { name: language }).click();
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await settle();
}
