import { Gavel, PackageX } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

const scope = 'quality:read';

export const qualityPages: readonly Page[] = [
  {
    path: '/quality/nonconformities',
    scope,
    load: () => import('./register.js'),
    menu: {
      group: 'assurance',
      icon: PackageX,
      name: dictionary({ name: 'Nonconforming goods' }, { name: '不合格品台账' }),
    },
  },
  { path: '/quality/nonconformities/print', scope, load: () => import('./register-print.js') },
  { path: '/quality/nonconformities/$ncId', scope, load: () => import('./nonconformity.js') },
  {
    path: '/quality/dispositions',
    scope,
    load: () => import('./dispositions.js'),
    menu: {
      group: 'assurance',
      icon: Gavel,
      name: dictionary({ name: 'Dispositions' }, { name: '不合格品处置' }),
    },
  },
  { path: '/quality/dispositions/$dispositionId', scope, load: () => import('./disposition.js') },
  {
    path: '/quality/dispositions/$dispositionId/record',
    scope,
    load: () => import('./disposition-record.js'),
  },
];
