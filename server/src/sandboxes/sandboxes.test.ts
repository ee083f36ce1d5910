import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestService } from '../../test/harness/index.js';
import { EVENT_TYPES } from '../events/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

describe('first look', () => {
  it('opens, moves and triggers', async () => {
    const sb = await service.call<{ sandboxId: string; apiKey: string }>('POST', '/v2/sandboxes', {
      name: 'tests',
    });
    console.log(sb.text);
    const key = sb.data.apiKey;
    console.log((await service.call('GET', '/v2/whoami', undefined, key)).text);
    for (const eventType of EVENT_TYPES) {
      const t = await service.call('POST', '/v2/sandbox/trigger', { eventType }, key);
      console.log(t.text);
    }
    const at = performance.now();
    const ck = await service.call('POST', '/v2/sandbox/clock', { advance: 'P60D' }, key);
    console.log(performance.now() - at, ck.text);
    console.log((await service.call('GET', '/v2/sandboxes')).text);
    const demo = performance.now();
    console.log(
      (await service.call('POST', '/v2/sandboxes', { name: 'd', data: 'demo' })).text,
      performance.now() - demo,
    );
    console.log((await service.call('DELETE', `/v2/sandboxes/${sb.data.sandboxId}`)).text);
    console.log((await service.call('GET', '/v2/whoami', undefined, key)).text);
    await newOrganization(service.db);
    expect(1).toBe(1);
  });
});
