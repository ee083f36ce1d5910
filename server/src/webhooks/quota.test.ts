import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService } from '../../test/harness/index.js';

const body = { callbackUrl: 'https://partner.example/', eventTypes: ['order.status_changed'] };
const LIMIT = 20;

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  await service.call('PUT', '/v2/partners/HOSP-2', { name: 'Second hospital', roles: ['customer'] });
});
afterAll(() => service.close());

const keyOf = async (customerCode: string) => (await service.org.newKey({ customerCode })).apiKey;
const create = (key: string) => service.call<{ webhookId: string }>('POST', '/v2/webhooks', body, key);

describe('the webhooks of one customer', () => {
  it('are limited to 20, with any of its keys, also if they are created at once', async () => {
    const keys = [await keyOf('HOSP-1'), await keyOf('HOSP-1')];
    const answers = await Promise.all(
      Array.from({ length: LIMIT + 10 }, (_, i) => create(keys[i % 2] as string)),
    );
    const made = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(made).toHaveLength(LIMIT);
    expect(new Set(refused.map(({ status, reason }) => `${status} ${reason}`))).toEqual(
      new Set(['400 too_many_customer_webhooks']),
    );
    const first = made[0]?.data.webhookId;
    expect((await service.call('DELETE', `/v2/webhooks/${first}`, undefined, keys[0])).status).toBe(200);
    expect((await create(keys[1] as string)).status).toBe(200);
    expect((await create(keys[0] as string)).reason).toBe('too_many_customer_webhooks');
  });

  it('take nothing from other customers or the organization', async () => {
    expect((await create(await keyOf('HOSP-2'))).status).toBe(200);
    const { orgId } = service.org.organization;
    const { webhookId } = (await create(service.org.key)).data;
    await service.db.sql(
      `insert into webhooks (org_id, webhook_id, callback_url, event_types, secret, created_at, created_by, updated_at)
       select org_id, 'whk_' || lpad(i::text, 26, '0'), callback_url, event_types, secret, created_at, created_by, updated_at
       from webhooks, generate_series(1, 995) i where org_id = $1 and webhook_id = $2`,
      [orgId, webhookId],
    );
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(service.org.key)));
    expect(answers.map(({ status, reason }) => reason ?? status).sort()).toEqual([
      ...Array(4).fill(200),
      ...Array(4).fill('too_many_webhooks'),
    ]);
    expect((await create(await keyOf('HOSP-2'))).status).toBe(200);
  });
});
