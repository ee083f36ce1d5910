import { ScanLine } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const tracingPages: readonly Page[] = [
  {
    path: '/trace',
    scope: 'udi:read',
    load: () => import('./trace.js'),
    menu: {
      group: 'assurance',
      icon: ScanLine,
      name: dictionary({ name: 'UDI trace' }, { name: 'UDI 追溯' }),
    },
  },
  // Not below /trace, where the menu would mark both pages as open.
  { path: '/print-labels', scope: 'udi:read', load: () => import('./labels-to-print.js') },
];
