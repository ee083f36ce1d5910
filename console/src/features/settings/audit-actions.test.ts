import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KNOWN_ACTIONS } from './audit-actions.js';

const server = join(import.meta.dirname, '../../../../server/src');

it('every action that the service records has a name', () => {
  const sources = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const recorded = sources.flatMap((file) =>
    [...readFileSync(join(server, file), 'utf8').matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g)].map(
      ([, action]) => action,
    ),
  );
  expect(recorded.length).toBeGreaterThan(50);
  expect(
    recorded.filter((action) => !(KNOWN_ACTIONS as readonly (string | undefined)[]).includes(action)),
  ).toEqual([]);
});
