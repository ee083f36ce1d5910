import { CodeXml } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const developerPages: readonly Page[] = [
  {
    path: '/developers',
    load: () => import('./hub.js'),
    menu: {
      group: 'developers',
      icon: CodeXml,
      name: dictionary({ name: 'Developer hub' }, { name: '开发者中心' }),
    },
  },
  { path: '/developers/playground', load: () => import('./playground.js') },
  { path: '/developers/events', load: () => import('./event-catalogue.js') },
];
