import type { Page } from 'playwright-core';

export const FIRST_LOAD_BYTES_MAX: number;
export function watchWire(page: Page): Promise<{
  /** Requests under way: their kinds, by id. */
  open: Map<string, string>;
  /** Bytes by kind. */
  kinds: Record<string, number>;
  requests(): number;
}>;
