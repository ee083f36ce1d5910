import { describe, expect } from 'vitest';
import { button, type ConsoleService, inFullTier } from '../harness/index.js';

/** The reference draws all operations at once. */
const SLOW_MS = 60_000;
const DOCUMENT = '/docs/api/json';
const OPERATION = '/v2/warehouses';

/** Descriptions that would be drawn as more than text: with links, images or HTML. */
const markupIn = (part: unknown): string[] => {
  if (typeof part !== 'object' || part === null) return [];
  const { description } = part as { description?: unknown };
  const own = typeof description === 'string' && /[<[]/.test(description) ? [description] : [];
  return [...own, ...Object.values(part).flatMap(markupIn)];
};

export const testDocs = (service: () => ConsoleService) =>
  describe('the documentation in a browser', () => {
    inFullTier(
      'the API reference keeps to its own content security policy, also while it is used',
      2 * SLOW_MS,
      async () => {
        const visit = await service().arrive();
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
        const whole: unknown[] = [];
        await page.route(`**${DOCUMENT}`, async (route) => {
          const response = await route.fetch();
          const document = await response.json();
          whole.push(document);
          await route.fulfill({ response, json: document });
        });
        await page.goto('/docs/api');
        await page.locator(`[data-path="${OPERATION}"]`).first().click();
        await button(page, 'Try it out').first().click();
        await button(page, 'Execute').waitFor();
        await page.locator('button.authorize').click();
        await page.getByText('Available authorizations').waitFor();
        expect(violations).toEqual([]);
        // Nor can operations that are not opened bring anything along that the policy would have to forbid.
        expect(whole.map(markupIn)).toEqual([[]]);
        await visit.leave();
      },
    );

    inFullTier('the guides load without a complaint of the browser', 60_000, async () => {
      const visit = await service().arrive();
      await visit.page.goto('/docs');
      await visit.page.getByRole('heading', { level: 1 }).waitFor();
      await visit.leave();
    });
  });
