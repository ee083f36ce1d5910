import { CalendarClock } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const expiryPages: readonly Page[] = [
  {
    path: '/expiring-stock',
    scope: 'inventory:read',
    load: () => import('./workbench.js'),
    menu: {
      group: 'goods',
      icon: CalendarClock,
      name: dictionary({ name: 'Expiring stock' }, { name: '近效期' }),
    },
  },
];
