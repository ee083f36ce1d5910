import { FileCheck2 } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const certificatePages: readonly Page[] = [
  {
    path: '/certificates',
    scope: 'certificates:read',
    load: () => import('./certificates.js'),
    menu: {
      group: 'assurance',
      icon: FileCheck2,
      name: dictionary({ name: 'Certificates' }, { name: '资质证照' }),
    },
  },
  { path: '/certificates/calendar', scope: 'certificates:read', load: () => import('./calendar.js') },
  {
    path: '/certificates/$certificateId',
    scope: 'certificates:read',
    load: () => import('./certificate.js'),
  },
];
