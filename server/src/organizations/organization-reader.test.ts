import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../test/harness/index.js';
import { organizationReader } from './organization.store.js';

const CALLS = 50;
const UNKNOWN = 'org_00000000000000000000000000';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it('calls at once share few statements, and each gets the organization it asked for', async () => {
  const { organization: one } = await newOrganization(db);
  const { organization: other } = await newOrganization(db);
  const asked = [one.orgId, other.orgId, UNKNOWN];
  const ids = Array.from({ length: CALLS }, (_, i) => asked[i % asked.length] as string);
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const found = await Promise.all(ids.map(organizationReader(db.database.reader)));
  // Other services of this process have connections too.
  const texts = query.mock.calls
    .filter((_call, n) => (query.mock.contexts[n] as pg.Client).database === db.name)
    .map(([sent]) => (sent as unknown as { text?: string }).text ?? '');
  query.mockRestore();
  expect(found.map((organization) => organization?.code ?? null)).toEqual(
    ids.map((id) => [one, other].find(({ orgId }) => orgId === id)?.code ?? null),
  );
  // One by itself and the rest with the next; on a cluster so for each organization.
  expect(texts.filter((text) => text.includes('"certificateGate"')).length).toBeLessThanOrEqual(
    2 * asked.length,
  );
});
