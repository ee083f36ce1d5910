import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyStock } from '../../src/stock/index.js';
import { openTestService } from '../harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

async function must<D>(method: string, path: string, body: object, key?: string): Promise<D> {
  const answer = await service.call<D>(method, path, body, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

/** Takes the schema back to what it was before holds had categories. */
async function takeBack(): Promise<void> {
  for (const statement of [
    'alter table holds drop column category, drop column split_from',
    'alter table movements drop column hold_id',
    'drop index balances_stocked',
    `delete from schema_migrations where name like '0023%'`,
  ])
    await service.db.sql(statement);
}

describe('an installation that is upgraded', () => {
  it('gives each hold its category: those by hand stay with the warehouse, the others go to quality', async () => {
    await must('PUT', '/v2/products/KEPT', { productName: 'Kept' });
    const stock = { productCode: 'KEPT', warehouse: 'WH-1', batchNo: 'B1', expiryDate: null };
    await must('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 9, reason: 'count' });
    const held: Record<string, string> = {};
    for (const source of ['manual', 'return', 'unmatched_return', 'recall']) {
      const body = { productCode: 'KEPT', batchNo: 'B1', quantity: 1, reason: source };
      const { holdId } = await must<{ holdId: string }>('POST', '/v2/stock/holds', body);
      await service.db.sql(
        `update holds set source = $2, category = case $2 when 'manual' then 'quality' else $2 end where hold_id = $1`,
        [holdId, source],
      );
      held[source] = holdId;
    }
    await takeBack();
    await service.db.another();

    const path = '/v2/stock/holds?productCode=KEPT';
    type Holds = { items: { holdId: string; category: string; splitFrom: string | null }[] };
    const { items } = (await service.call<Holds>('GET', path)).data;
    expect(Object.fromEntries(items.map(({ holdId, category }) => [holdId, category]))).toEqual({
      [held.manual ?? '']: 'logistics',
      [held.return ?? '']: 'return',
      [held.unmatched_return ?? '']: 'unmatched_return',
      [held.recall ?? '']: 'recall',
    });
    const { apiKey } = await service.org.newKey({ scopes: ['inventory:write'] });
    const release = (source: string) =>
      service.call('POST', `/v2/stock/holds/${held[source]}/release`, {}, apiKey);
    expect((await release('manual')).status).toBe(200);
    expect((await release('return')).status).toBe(403);
    const { orgId } = service.org.organization;
    expect(await verifyStock(service.db.database, orgId)).toMatchObject({ ok: true });
  });
});
