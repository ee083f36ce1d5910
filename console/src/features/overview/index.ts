import { LayoutDashboard } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const overviewPages: readonly Page[] = [
  {
    path: '/',
    load: () => import('./overview.js'),
    menu: {
      group: 'overview',
      icon: LayoutDashboard,
      name: dictionary({ name: 'Overview' }, { name: '概览' }),
    },
  },
];
