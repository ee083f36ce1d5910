/* The areas of the core: where their code is, and which tests are there to notice a change of it. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const journeys = (...names) => names.map((name) => `server/test/journeys/${name}`);

export const AREAS = {
  stock: {
    sources: ['server/src/stock'],
    tests: [
      'server/src/stock',
      'server/src/recalls/recalls.',
      'server/src/tracing/trace.',
      ...journeys(
        'stock-',
        'batch-corrections',
        'returns',
        'reservation-place',
        'flow-orders',
        'flow-dispatches',
        'flow-conc',
        'impossible-dates',
      ),
    ],
  },
  orders: {
    sources: ['server/src/orders'],
    tests: [
      'server/src/orders/',
      'server/test/access/customer-bound.',
      ...journeys(
        'flow-orders',
        'flow-dispatches',
        'flow-conc',
        'flow.',
        'document-lists',
        'references',
        'suspended',
      ),
    ],
  },
  dispatching: {
    sources: ['server/src/dispatching'],
    tests: [
      'server/src/dispatching',
      'server/src/recalls/recalls.',
      ...journeys('flow-dispatches', 'flow-scans', 'flow.', 'document-lists', 'returns', 'suspended'),
    ],
  },
  webhooks: {
    sources: ['server/src/webhooks'],
    tests: [
      'server/src/webhooks/',
      'server/test/access/webhook-owners.',
      'server/test/access/customer-bound-webhooks.',
      'server/test/access/sealed-secrets.',
      ...journeys('restore'),
    ],
  },
  events: {
    sources: ['server/src/events'],
    tests: [
      'server/src/events',
      'server/src/recalls/recall-events.',
      'server/src/webhooks/announced.',
      'server/src/webhooks/delivery.',
      'server/src/webhooks/delivery-log.',
      'server/src/webhooks/narrowed-webhooks.',
      'server/src/webhooks/recovery.',
      ...journeys('restore'),
    ],
  },
  certificates: {
    sources: ['server/src/certificates'],
    tests: [
      'server/src/certificates/',
      'server/src/cli/import-certificates.',
      'server/src/tracing/certificates-then.',
      'server/src/watch/watch.',
      ...journeys('calendar', 'impossible-dates'),
    ],
  },
  environment: {
    sources: ['server/src/environment'],
    tests: ['server/src/environment/', ...journeys('impossible-dates')],
  },
  udi: { sources: ['udi/src'], tests: ['udi/src/'] },
};

/** Files whose path begins like this, at any depth. */
function filesAt(root, prefix) {
  const folder = dirname(prefix);
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.startsWith(prefix) && path.endsWith('.ts') && !path.includes('/node_modules/'));
}

/** The test files of directories and of beginnings of paths. */
export function testsIn(root, places) {
  const found = places.flatMap((place) => {
    const tests = filesAt(root, place).filter((path) => path.endsWith('.test.ts'));
    // An area that lost its tests would be judged by too few of them.
    if (tests.length === 0) throw new Error(`no test was found at ${place}`);
    return tests;
  });
  return [...new Set(found)].sort();
}

export function sourcesIn(root, places) {
  const found = places.flatMap((place) => filesAt(root, `${place}/`));
  const own = found.filter((file) => !/\.(test|fixture|schemas|errors)\.ts$|\/index\.ts$/.test(file)).sort();
  if (own.length === 0) throw new Error(`no source was found in ${places.join(', ')}`);
  return own;
}
