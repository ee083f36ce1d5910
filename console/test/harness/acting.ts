import type { Locator, Page } from 'playwright-core';

/** A field by what stands above it. */
export const field = (within: Page | Locator, label: string | RegExp): Locator =>
  within.locator('input, textarea').and(within.getByLabel(label));

export const button = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

export const dialog = (page: Page): Locator => page.getByRole('dialog');

/** Types into a field that offers what fits, and takes the one that is meant. */
export async function choose(page: Page, label: string, typed: string, meant: string): Promise<void> {
  await field(page, label).fill(typed);
  await page.getByRole('option', { name: meant }).click();
}

/** Waits until the console has said that something is done. */
export const said = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('alert').filter({ hasText: text }).first().waitFor();
