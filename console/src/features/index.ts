import type { Page } from '../app/pages.js';
import { accountPages } from './account/index.js';
import { cataloguePages } from './catalogue/index.js';
import { certificatePages } from './certificates/index.js';
import { developerPages } from './developers/index.js';
import { dispatchingPages } from './dispatching/index.js';
import { environmentPages } from './environment/index.js';
import { eventPages } from './events/index.js';
import { expiryPages } from './expiry/index.js';
import { ordersPages } from './orders/index.js';
import { overviewPages } from './overview/index.js';
import { qualityPages } from './quality/index.js';
import { recallPages } from './recalls/index.js';
import { receivingPages } from './receiving/index.js';
import { settingsPages } from './settings/index.js';
import { stockPages } from './stock/index.js';
import { tracingPages } from './tracing/index.js';
import { webhookPages } from './webhooks/index.js';

/** All pages. A page is found by its path, and its place in the menu is its place here. */
export const allPages: readonly Page[] = [
  ...overviewPages,
  ...ordersPages,
  ...receivingPages,
  ...dispatchingPages,
  ...stockPages,
  ...expiryPages,
  ...cataloguePages,
  ...tracingPages,
  ...qualityPages,
  ...recallPages,
  ...certificatePages,
  ...environmentPages,
  ...developerPages,
  ...settingsPages,
  ...webhookPages,
  ...eventPages,
  ...accountPages,
];
