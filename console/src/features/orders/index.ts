import { ClipboardList } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const ordersPages: readonly Page[] = [
  {
    path: '/orders',
    scope: 'orders:read',
    load: () => import('./orders.js'),
    menu: {
      group: 'operations',
      icon: ClipboardList,
      name: dictionary({ name: 'Orders' }, { name: '销售订单' }),
    },
  },
  { path: '/orders/new', scope: 'orders:write', load: () => import('./new-order.js') },
  { path: '/orders/$orderId', scope: 'orders:read', load: () => import('./order.js') },
];
