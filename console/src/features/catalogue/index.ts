import { Handshake, Package, Warehouse } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const cataloguePages: readonly Page[] = [
  {
    path: '/products',
    scope: 'products:read',
    load: () => import('./products.js'),
    menu: { group: 'goods', icon: Package, name: dictionary({ name: 'Products' }, { name: '产品' }) },
  },
  { path: '/products/import', scope: 'products:write', load: () => import('./import-products.js') },
  { path: '/products/$productCode', scope: 'products:read', load: () => import('./product.js') },
  {
    path: '/partners',
    scope: 'products:read',
    load: () => import('./partners.js'),
    menu: { group: 'goods', icon: Handshake, name: dictionary({ name: 'Partners' }, { name: '往来单位' }) },
  },
  { path: '/partners/import', scope: 'products:write', load: () => import('./import-partners.js') },
  { path: '/partners/$partnerCode', scope: 'products:read', load: () => import('./partner.js') },
  {
    path: '/warehouses',
    scope: 'products:read',
    load: () => import('./warehouses.js'),
    menu: { group: 'goods', icon: Warehouse, name: dictionary({ name: 'Warehouses' }, { name: '仓库' }) },
  },
];
