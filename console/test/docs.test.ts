import { afterAll, beforeAll, describe, expect } from 'vitest';
import { button, type ConsoleWorld, inBrowser, openConsole } from './harness/index.js';

/** The reference draws some two hundred operations at once. */
const SLOW_MS = 60_000;

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsole();
});
afterAll(() => world.close());

describe('the documentation in a browser', () => {
  inBrowser(
    'the API reference keeps to its own content security policy, also while it is used',
    2 * SLOW_MS,
    async () => {
      const visit = await world.arrive();
      const { page } = visit;
      const violations: string[] = [];
      await page.exposeFunction('noteViolation', (text: string) => violations.push(text));
      await page.addInitScript(() => {
        // The reference waits by the clock before it shows an operation: here time goes on.
        window.Date = Object.getPrototypeOf(window.Date);
        document.addEventListener('securitypolicyviolation', (event) => {
          (window as unknown as { noteViolation(text: string): void }).noteViolation(
            `${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`,
          );
        });
      });
      page.setDefaultTimeout(SLOW_MS);
      await page.goto('/docs/api');
      await page.locator('[data-path="/v2/warehouses"]').first().click();
      await button(page, 'Try it out').first().click();
      await button(page, 'Execute').waitFor();
      await page.locator('button.authorize').click();
      await page.getByText('Available authorizations').waitFor();
      expect(violations).toEqual([]);
      await visit.leave();
    },
  );

  inBrowser('the guides load without a complaint of the browser', 60_000, async () => {
    const visit = await world.arrive();
    await visit.page.goto('/docs');
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
    await visit.leave();
  });
});
