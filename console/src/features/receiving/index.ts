import { PackagePlus } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const receivingPages: readonly Page[] = [
  {
    path: '/receipts',
    scope: 'receipts:read',
    load: () => import('./receipts.js'),
    menu: {
      group: 'operations',
      icon: PackagePlus,
      name: dictionary({ name: 'Receipts' }, { name: '收货验收' }),
    },
  },
  { path: '/receipts/new', scope: 'receipts:write', load: () => import('./new-receipt.js') },
  { path: '/receipts/$receiptId', scope: 'receipts:read', load: () => import('./receipt.js') },
  {
    path: '/receipts/$receiptId/record',
    scope: 'receipts:read',
    load: () => import('./acceptance-record.js'),
  },
];
