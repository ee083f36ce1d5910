import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestService } from '../../test/harness/index.js';
import { connectSlices } from '../app/connect-slices.js';
import { isHoldInDisposition } from './stock-hooks.js';

interface Hold {
  holdId: string;
  category: string;
  source: string;
  status: string;
}

const STORE = ['inventory:read', 'inventory:write'];

describe('the category of a hold', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  let warehouse: string;
  let quality: string;
  let productCode: string;
  let products = 0;

  beforeAll(async () => {
    service = await openTestService();
    warehouse = (await service.org.newKey({ scopes: STORE })).apiKey;
    quality = (await service.org.newKey({ scopes: [...STORE, 'quality:write'] })).apiKey;
  });
  afterAll(() => service.close());

  beforeEach(async () => {
    productCode = `CAT-${++products}`;
    await must('PUT', `/v2/products/${productCode}`, { productName: 'Held' });
    const stock = { productCode, warehouse: 'WH-1', batchNo: 'B1', expiryDate: null };
    await must('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 50, reason: 'count' });
  });

  const must = async <D>(method: string, path: string, body: object, key?: string): Promise<D> => {
    const answer = await service.call<D>(method, path, body, key);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.data;
  };
  const hold = (key: string, part: object = {}) =>
    service.call<Hold>(
      'POST',
      '/v2/stock/holds',
      { productCode, batchNo: 'B1', quantity: 1, reason: 'damp', ...part },
      key,
    );
  const release = (key: string, holdId: string, body: object = { reason: 'dry' }) =>
    service.call<Hold>('POST', `/v2/stock/holds/${holdId}/release`, body, key);
  /** As one of its source would have made it. */
  async function heldBy(source: 'return' | 'unmatched_return'): Promise<string> {
    const { holdId } = (await hold(warehouse)).data;
    await service.db.sql('update holds set source = $2, category = $2 where hold_id = $1', [holdId, source]);
    return holdId;
  }

  it('is quality for a caller who decides about quality, and logistics for others', async () => {
    expect((await hold(warehouse)).data).toMatchObject({ category: 'logistics', source: 'manual' });
    expect((await hold(quality)).data).toMatchObject({ category: 'quality', source: 'manual' });
    expect((await hold(quality, { category: 'logistics' })).data).toMatchObject({ category: 'logistics' });
    expect((await hold(warehouse, { category: 'logistics' })).data).toMatchObject({ category: 'logistics' });
  });

  it('quality is refused without quality:write, and those of other sources are nobody’s choice', async () => {
    expect(await hold(warehouse, { category: 'quality' })).toMatchObject({
      status: 403,
      reason: 'scope_missing',
    });
    for (const category of ['return', 'unmatched_return', 'environment', 'recall', 'other'])
      expect(await hold(quality, { category })).toMatchObject({ status: 400, reason: 'not_allowed' });
  });

  it('logistics: the warehouse releases it, with or without a reason', async () => {
    const { holdId } = (await hold(warehouse)).data;
    expect((await release(warehouse, holdId, {})).data).toMatchObject({ status: 'released' });
    const another = (await hold(warehouse)).data.holdId;
    expect((await release(quality, another)).data).toMatchObject({ releaseReason: 'dry' });
  });

  it.each(['quality', 'return', 'unmatched_return'] as const)(
    '%s: only quality releases it, and says why',
    async (category) => {
      const holdId =
        category === 'quality' ? (await hold(quality, { category })).data.holdId : await heldBy(category);
      expect(await release(warehouse, holdId)).toMatchObject({ status: 403, reason: 'scope_missing' });
      for (const body of [{}, { reason: null }])
        expect(await release(quality, holdId, body)).toMatchObject({
          status: 400,
          reason: 'release_reason_required',
        });
      expect((await release(quality, holdId)).data).toMatchObject({ status: 'released', category });
      // Refused before it is looked at: who may not release it does not learn that it is released.
      expect((await release(warehouse, holdId)).status).toBe(403);
    },
  );

  it('recall: nobody releases it, with any scopes', async () => {
    const { holdId } = (await hold(warehouse)).data;
    await service.db.sql(`update holds set source = 'recall', category = 'recall' where hold_id = $1`, [
      holdId,
    ]);
    for (const key of [warehouse, quality])
      expect(await release(key, holdId)).toMatchObject({ status: 400, reason: 'recall_hold' });
  });

  it('a hold whose goods a disposition decides about stays', async () => {
    const { holdId } = (await hold(quality)).data;
    isHoldInDisposition.connect(async (_tx, id) => id === holdId);
    try {
      expect(await release(quality, holdId)).toMatchObject({ status: 400, reason: 'hold_in_disposition' });
    } finally {
      connectSlices();
    }
    expect((await release(quality, holdId)).status).toBe(200);
  });

  it('selects holds in the list', async () => {
    const [first, second] = [(await hold(warehouse)).data.holdId, (await hold(quality)).data.holdId];
    const listed = async (category: string) => {
      const path = `/v2/stock/holds?productCode=${productCode}&category=${category}`;
      return (await service.call<{ items: Hold[] }>('GET', path)).data.items.map(({ holdId }) => holdId);
    };
    expect(await listed('logistics')).toEqual([first]);
    expect(await listed('quality')).toEqual([second]);
    expect(await listed('recall')).toEqual([]);
    expect((await service.call('GET', '/v2/stock/holds?category=other')).reason).toBe('not_allowed');
  });

  it('agrees with the source in the database, too', async () => {
    const { holdId } = (await hold(warehouse)).data;
    for (const [category, source] of [
      ['quality', 'return'],
      ['return', 'manual'],
      ['logistics', 'recall'],
    ])
      await expect(
        service.db.sql('update holds set category = $2, source = $3 where hold_id = $1', [
          holdId,
          category,
          source,
        ]),
      ).rejects.toThrow('holds_category_source_check');
  });
});
