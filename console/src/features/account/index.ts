import type { Page } from '../../app/pages.js';

/** Reached from the menu at the top, which everybody has. */
export const accountPages: readonly Page[] = [{ path: '/account', load: () => import('./account.js') }];
