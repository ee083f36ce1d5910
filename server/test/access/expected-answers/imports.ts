import { fileOf } from '../documents.js';
import { at, type ExpectedRoute, MISSING, named, post } from './expected-route.js';

const IMPORTS = '/v2/imports';
const alsoNeeds = ['products:write'] as const;

export const imports: readonly ExpectedRoute[] = [
  {
    route: `POST ${IMPORTS}`,
    scope: null,
    alsoNeeds,
    customerBound: 'refused',
    // No worker runs here, and so many may wait.
    letIn: ['too_many_imports'],
    request: () => post(IMPORTS, fileOf('OKAPI')),
    names: [],
  },
  {
    route: `GET ${IMPORTS}`,
    scope: null,
    alsoNeeds,
    customerBound: 'refused',
    request: at(`${IMPORTS}?kind=products&limit=1`),
    names: [],
  },
  {
    route: `GET ${IMPORTS}/:importId`,
    scope: null,
    alsoNeeds,
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `${IMPORTS}/${ours.import}` }),
    names: [named('import', (id) => `${IMPORTS}/${id}`, MISSING)],
  },
  {
    route: `POST ${IMPORTS}/:importId/cancel`,
    scope: null,
    alsoNeeds,
    customerBound: 'refused',
    letIn: ['import_ended'],
    request: ({ ours }) => post(`${IMPORTS}/${ours.import}/cancel`, {}),
    names: [
      named(
        'import',
        (id) => post(`${IMPORTS}/${id}/cancel`, {}),
        MISSING,
        (make) => make.import(),
      ),
    ],
  },
  {
    route: 'GET /exports/imports/:importId/refused.csv',
    file: true,
    scope: null,
    alsoNeeds,
    customerBound: 'refused',
    request: ({ ours }) => ({ path: `/exports/imports/${ours.import}/refused.csv` }),
    names: [named('import', (id) => `/exports/imports/${id}/refused.csv`, MISSING)],
  },
];
