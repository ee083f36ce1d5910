import { OctagonAlert } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const recallPages: readonly Page[] = [
  {
    path: '/recalls',
    scope: 'recalls:read',
    load: () => import('./recalls.js'),
    menu: { group: 'assurance', icon: OctagonAlert, name: dictionary({ name: 'Recalls' }, { name: '召回' }) },
  },
  { path: '/recalls/new', scope: 'recalls:write', load: () => import('./new-recall.js') },
  { path: '/recalls/$recallId', scope: 'recalls:read', load: () => import('./recall.js') },
  {
    path: '/recalls/$recallId/notices/$customerCode',
    scope: 'recalls:read',
    load: () => import('./notice.js'),
  },
];
