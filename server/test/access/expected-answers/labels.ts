import { at, type ExpectedRoute } from './expected-route.js';

export const labels: readonly ExpectedRoute[] = [
  {
    route: 'GET /labels/udi.svg',
    file: true,
    scope: 'udi:read',
    customerBound: 'allowed',
    request: at('/labels/udi.svg?code=(01)06901234567892(10)B1'),
    // A code is drawn as it is given: nothing is looked up.
    names: [],
  },
];

export const printerLabels: readonly ExpectedRoute[] = [
  {
    route: 'GET /labels/udi.zpl',
    file: true,
    scope: 'udi:read',
    customerBound: 'allowed',
    request: at('/labels/udi.zpl?code=(01)06901234567892(10)B1'),
    names: [],
  },
];
