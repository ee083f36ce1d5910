import { BellRing, Thermometer } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const environmentPages: readonly Page[] = [
  {
    path: '/environment/points',
    scope: 'environment:read',
    load: () => import('./points.js'),
    menu: {
      group: 'assurance',
      icon: Thermometer,
      name: dictionary({ name: 'Monitoring points' }, { name: '温湿度监测点' }),
    },
  },
  { path: '/environment/points/$pointId', scope: 'environment:read', load: () => import('./point.js') },
  {
    path: '/environment/alerts',
    scope: 'environment:read',
    load: () => import('./alerts.js'),
    menu: { group: 'assurance', icon: BellRing, name: dictionary({ name: 'Alerts' }, { name: '报警' }) },
  },
  { path: '/environment/alerts/$alertId', scope: 'environment:read', load: () => import('./alert.js') },
];
