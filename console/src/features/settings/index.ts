import { Building2, KeyRound, ScrollText, Users } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const settingsPages: readonly Page[] = [
  {
    path: '/settings/organization',
    scope: 'settings:read',
    load: () => import('./organization.js'),
    menu: {
      group: 'system',
      icon: Building2,
      name: dictionary({ name: 'Organization' }, { name: '企业设置' }),
    },
  },
  {
    path: '/settings/users',
    scope: 'settings:read',
    load: () => import('./users.js'),
    menu: {
      group: 'system',
      icon: Users,
      name: dictionary({ name: 'Users and roles' }, { name: '用户与角色' }),
    },
  },
  {
    path: '/settings/api',
    scope: 'settings:read',
    load: () => import('./api-management.js'),
    menu: {
      group: 'developers',
      icon: KeyRound,
      name: dictionary({ name: 'API management' }, { name: 'API 管理' }),
    },
  },
  { path: '/settings/api/keys/$keyId', scope: 'settings:read', load: () => import('./key.js') },
  { path: '/settings/api/clients/$clientId', scope: 'settings:read', load: () => import('./client.js') },
  {
    path: '/settings/audit',
    scope: 'audit:read',
    load: () => import('./audit.js'),
    menu: {
      group: 'system',
      icon: ScrollText,
      name: dictionary({ name: 'Audit log' }, { name: '审计日志' }),
    },
  },
];
