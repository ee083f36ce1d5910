import { Truck } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const dispatchingPages: readonly Page[] = [
  {
    path: '/dispatches',
    scope: 'dispatches:read',
    load: () => import('./dispatches.js'),
    menu: {
      group: 'operations',
      icon: Truck,
      name: dictionary({ name: 'Dispatches' }, { name: '出库复核' }),
    },
  },
  { path: '/dispatches/$dispatchId', scope: 'dispatches:read', load: () => import('./dispatch.js') },
  { path: '/dispatches/$dispatchId/note', scope: 'dispatches:read', load: () => import('./note.js') },
  {
    path: '/dispatches/$dispatchId/record',
    scope: 'dispatches:read',
    load: () => import('./recheck-record.js'),
  },
  {
    path: '/dispatches/$dispatchId/pick-list',
    scope: 'dispatches:read',
    load: () => import('./pick-list.js'),
  },
];
