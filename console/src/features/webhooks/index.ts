import { Webhook } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const webhookPages: readonly Page[] = [
  {
    path: '/webhooks',
    scope: 'webhooks:read',
    load: () => import('./webhooks.js'),
    menu: { group: 'developers', icon: Webhook, name: dictionary({ name: 'Webhooks' }, { name: 'Webhook' }) },
  },
  { path: '/webhooks/$webhookId', scope: 'webhooks:read', load: () => import('./webhook.js') },
];
