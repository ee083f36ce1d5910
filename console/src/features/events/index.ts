import { Radio } from 'lucide-react';
import { dictionary } from '../../app/language.js';
import type { Page } from '../../app/pages.js';

export const eventPages: readonly Page[] = [
  {
    path: '/events',
    scope: 'events:read',
    load: () => import('./events.js'),
    menu: { group: 'developers', icon: Radio, name: dictionary({ name: 'Event log' }, { name: '事件日志' }) },
  },
];
