import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService, stockCatalogue } from '../../test/harness/index.js';
import { verifyStock } from './index.js';

describe('verifying the stock', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  beforeAll(async () => {
    service = await openTestService({ alone: true });
  });
  afterAll(() => service.close());

  /** An organization with stock of every tracking, under holds of every extent. */
  async function stocked() {
    const { organization, key } = await newOrganization(service.db);
    await stockCatalogue(service.api, key);
    const post = async (path: string, body: object) => {
      const answer = await service.call<{ movementId: string }>('POST', path, { reason: 'x', ...body }, key);
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.data;
    };
    const adjust = (body: object) =>
      post('/v2/stock/adjustments', { warehouse: 'WH-1', expiryDate: null, ...body });
    const first = await adjust({ productCode: GTIN, batchNo: 'A', quantityDelta: 9 });
    await adjust({ productCode: GTIN, batchNo: 'A', quantityDelta: -2 });
    await adjust({ productCode: GTIN, batchNo: 'B', quantityDelta: 4, warehouse: 'WH-2' });
    await adjust({ productCode: 'PUMP-1', batchNo: 'P', quantityDelta: 3, serials: ['S1', 'S2', 'S3'] });
    await adjust({ productCode: 'GLOVE-1', quantityDelta: 50 });
    await post('/v2/stock/holds', { productCode: GTIN, batchNo: 'A', quantity: 3 });
    await post('/v2/stock/holds', { productCode: GTIN, batchNo: 'B' });
    await post('/v2/stock/holds', { productCode: 'PUMP-1', batchNo: 'P', serials: ['S2'] });
    const { orgId } = organization;
    expect(await verifyStock(service.db.database, orgId)).toEqual({
      ok: true,
      products: 3,
      firstDifference: null,
    });
    return { orgId, first };
  }

  const where = (productCode: string, warehouse: string, batchNo: string) => ({
    productCode,
    warehouse,
    batchNo,
  });
  it('goes on after the first 500 products, and counts them all', async () => {
    const { orgId } = await stocked();
    // Sorted before the others, so that the products with stock are in the second batch.
    await service.db.sql(
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
         near_expiry_days, status, created_at, updated_at)
       select $1, '!' || to_char(n, 'FM0000'), 'prd_many' || n, 'Empty', false, false, 'none', 0, 0, 'active', now(), now()
       from generate_series(1, 500) n`,
      [orgId],
    );
    expect(await verifyStock(service.db.database, orgId)).toMatchObject({ ok: true, products: 503 });
    await service.db.sql(
      `update balances set quantity = quantity + 1 where org_id = $1 and product_code = 'GLOVE-1'`,
      [orgId],
    );
    expect(await verifyStock(service.db.database, orgId)).toMatchObject({
      ok: false,
      firstDifference: { productCode: 'GLOVE-1' },
    });
  });

  it.each([
    [
      'a balance that was raised',
      `update balances set quantity = quantity + 1 where org_id = $1 and batch_no = 'A'`,
      {
        ...where(GTIN, 'WH-1', 'A'),
        problem: 'balance is not the sum of its movements',
        expected: 7,
        found: 8,
      },
    ],
    [
      'a balance that was emptied',
      `update balances set quantity = 0 where org_id = $1 and product_code = 'GLOVE-1'`,
      {
        ...where('GLOVE-1', 'WH-1', ''),
        problem: 'balance is not the sum of its movements',
        expected: 50,
        found: 0,
      },
    ],
    [
      'a balance that was removed',
      `delete from balances where org_id = $1 and product_code = 'GLOVE-1'`,
      {
        ...where('GLOVE-1', 'WH-1', ''),
        problem: 'balance is not the sum of its movements',
        expected: 50,
        found: 0,
      },
    ],
    [
      'a movement that was deleted',
      `delete from movements where org_id = $1 and product_code = '${GTIN}' and quantity_delta = 9`,
      {
        ...where(GTIN, 'WH-1', 'A'),
        problem: 'balance is not the sum of its movements',
        expected: -2,
        found: 7,
      },
    ],
    [
      'a movement that was changed',
      `update movements set quantity = 5, quantity_delta = 5 where org_id = $1 and quantity_delta = 4`,
      {
        ...where(GTIN, 'WH-2', 'B'),
        problem: 'balance is not the sum of its movements',
        expected: 5,
        found: 4,
      },
    ],
    [
      'a movement without quantity that was deleted',
      `delete from movements where org_id = $1 and movement_id = (
        select movement_id from movements where org_id = $1 and product_code = '${GTIN}' and quantity_delta = 0 limit 1)`,
      {
        productCode: GTIN,
        warehouse: null,
        batchNo: '',
        problem: 'movements are missing from the ledger',
        expected: expect.any(Number),
        found: expect.any(Number),
      },
    ],
    [
      'a hold that was lifted behind its back',
      `update balances set held = 0 where org_id = $1 and batch_no = 'A'`,
      { ...where(GTIN, 'WH-1', 'A'), problem: 'held is not the sum of its holds', expected: 3, found: 0 },
    ],
    [
      'a hold whose quantity was changed',
      `update holds set quantity = 1 where org_id = $1 and extent = 'quantity'`,
      { ...where(GTIN, 'WH-1', 'A'), problem: 'held is not the sum of its holds', expected: 1, found: 3 },
    ],
    [
      'a hold of a whole batch that is not counted',
      `update balances set whole_holds = 0 where org_id = $1 and batch_no = 'B'`,
      {
        ...where(GTIN, 'WH-2', 'B'),
        problem: 'holds of the whole batch are miscounted',
        expected: 1,
        found: 0,
      },
    ],
    [
      'a serial that was taken out alone',
      `update serials set warehouse = null where org_id = $1 and serial_no = 'S1'`,
      {
        ...where('PUMP-1', 'WH-1', 'P'),
        problem: 'serial numbers in stock do not add up',
        expected: 3,
        found: 2,
      },
    ],
    [
      'a serial whose holds were forgotten',
      `delete from hold_serials where org_id = $1 and serial_no = 'S2'`,
      {
        ...where('PUMP-1', 'WH-1', 'P'),
        problem: 'holds of serial S2 are miscounted',
        expected: 0,
        found: 1,
      },
    ],
  ])('finds %s', async (_what, tamper, firstDifference) => {
    const { orgId } = await stocked();
    await service.db.sql(tamper, [orgId]);
    expect(await verifyStock(service.db.database, orgId)).toMatchObject({ ok: false, firstDifference });
  });

  it('names the first of several differences, in the order of product, warehouse and batch', async () => {
    const { orgId } = await stocked();
    await service.db.sql(`update balances set quantity = quantity + 1 where org_id = $1`, [orgId]);
    expect((await verifyStock(service.db.database, orgId)).firstDifference).toMatchObject(
      where(GTIN, 'WH-1', 'A'),
    );
  });

  it('looks at one organization and does not blame it for another’s', async () => {
    const [broken, sound] = [await stocked(), await stocked()];
    await service.db.sql('update balances set quantity = quantity + 1 where org_id = $1', [broken.orgId]);
    expect((await verifyStock(service.db.database, sound.orgId)).ok).toBe(true);
  });

  it('the database itself refuses a balance that is negative, over-committed, or reserved under a hold', async () => {
    const { orgId } = await stocked();
    for (const [change, constraint] of [
      ['quantity = -1, held = 0', 'balances_not_negative'],
      ['reserved = -1', 'balances_not_negative'],
      ['reserved = 5', 'balances_not_overcommitted'],
      ['held = 8', 'balances_not_overcommitted'],
      ['whole_holds = 1, reserved = 1', 'balances_held_not_reserved'],
    ]) {
      const attempt = service.db.sql(`update balances set ${change} where org_id = $1 and batch_no = 'A'`, [
        orgId,
      ]);
      await expect(attempt).rejects.toThrow(constraint);
    }
  });
});
