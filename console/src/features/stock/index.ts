import { ArrowRightLeft, Boxes, OctagonPause } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const stockPages: readonly Page[] = [
  {
    path: '/inventory',
    scope: 'inventory:read',
    load: () => import('./inventory.js'),
    menu: { group: 'goods', icon: Boxes, name: dictionary({ name: 'Inventory' }, { name: '库存' }) },
  },
  { path: '/inventory/batch', scope: 'inventory:read', load: () => import('./batch.js') },
  {
    path: '/movements',
    scope: 'inventory:read',
    load: () => import('./movements.js'),
    menu: {
      group: 'goods',
      icon: ArrowRightLeft,
      name: dictionary({ name: 'Stock movements' }, { name: '出入库流水' }),
    },
  },
  {
    path: '/holds',
    scope: 'inventory:read',
    load: () => import('./holds.js'),
    menu: { group: 'goods', icon: OctagonPause, name: dictionary({ name: 'Holds' }, { name: '库存冻结' }) },
  },
];
