import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestService } from '../harness/index.js';
import { repository } from './guide.js';

interface Item {
  name: string;
  request: { method: string; url: { raw: string; variable?: unknown[] }; body?: { raw: string } };
}
const collection: { info: { schema: string }; item: { name: string; item: Item[] }[] } = JSON.parse(
  readFileSync(join(repository, 'docs/lotward.postman_collection.json'), 'utf8'),
);
const requests = collection.item.flatMap(({ item }) => item);

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

it('every request of the collection that names nothing is answered as it stands', async () => {
  // A request that needs a parameter, or a person who is signed in, says so.
  const complete = requests.filter(
    ({ request }) => request.method === 'GET' && !request.url.variable && request.url.raw.includes('/v2/'),
  );
  expect(complete.length).toBeGreaterThan(25);
  for (const { name, request } of complete) {
    const answer = await service.call('GET', request.url.raw.replace('{{baseUrl}}', ''));
    const outcome = answer.status === 200 ? 'answered' : answer.reason;
    expect(['answered', 'required', 'console_only'], `${name}: ${answer.text}`).toContain(outcome);
  }
});

it('bodies that are sent have their example', () => {
  const writes = requests.filter(({ request }) => request.body !== undefined);
  const withoutExample = writes.filter(({ request }) => request.body?.raw === '{}').map(({ name }) => name);
  expect(writes.length).toBeGreaterThan(60);
  expect(withoutExample.length).toBeLessThan(writes.length / 2);
});
