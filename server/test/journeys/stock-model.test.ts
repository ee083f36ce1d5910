import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAudit } from '../../src/audit/index.js';
import { verifyStock } from '../../src/stock/index.js';
import type { InventoryRecord } from '../../src/stock/inventory.rules.js';
import { openTestService, sized } from '../harness/index.js';
import { opening, operation, StockDriver } from './stock-driver.js';
import { StockModel, WAREHOUSES } from './stock-model.js';

const seed = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));
const SEQUENCES = sized(10, 600);

describe('one caller after the other', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  beforeAll(async () => {
    service = await openTestService();
  });
  afterAll(() => service.close());

  /** The record of one product in one warehouse, counted from the model. */
  function recordIn(model: StockModel, index: number, warehouse: string) {
    const product = model.product(index);
    const batches = [...product.batches.entries()]
      .map(([batchNo, expiryDate]) => {
        const quantity = model.quantity(index, batchNo, warehouse);
        const isWhole =
          model.isHeldWhole(index, batchNo, warehouse) || (expiryDate !== null && expiryDate < '2026-11-15');
        const blockedQuantity = isWhole ? quantity : model.held(index, batchNo, warehouse);
        const availableQuantity = quantity - blockedQuantity;
        return { batchNo, expiryDate, quantity, availableQuantity, reservedQuantity: 0, blockedQuantity };
      })
      .filter((batch) => batch.quantity > 0);
    const blocked = batches.reduce((sum, batch) => sum + batch.blockedQuantity, 0);
    const total = batches.reduce((sum, batch) => sum + batch.quantity, 0);
    const byExpiry = (expiryDate: string | null) => expiryDate ?? '9999';
    return {
      totalQuantity: total,
      availableQuantity: total - blocked,
      reservedQuantity: 0,
      blockedQuantity: blocked,
      batches: batches.sort(
        (a, b) =>
          byExpiry(b.expiryDate).localeCompare(byExpiry(a.expiryDate)) || a.batchNo.localeCompare(b.batchNo),
      ),
    };
  }

  it(
    `a model of the rules predicts every response and every balance (${SEQUENCES} sequences, seed ${seed})`,
    async () => {
      let sequences = 0;
      let performed = 0;
      const outcomes = new Map<string, number>();
      const property = fc.asyncProperty(
        fc.array(fc.tuple(operation, fc.boolean()), { minLength: 15, maxLength: 30, size: 'max' }),
        async (steps) => {
          const model = new StockModel();
          const driver = new StockDriver(service, `M${++sequences}`);
          await driver.prepare();
          for (const [each, overHttp] of [...opening.map((first) => [first, false] as const), ...steps]) {
            // The older of two holds shrinks first, so they must not be of the same age.
            service.db.clock.advance(10);
            const predicted = model.perform(each);
            const { outcome } = await driver.perform(each, overHttp ? 'http' : 'verb');
            expect([each, outcome]).toEqual([each, predicted]);
            performed++;
            const name = `${each.kind} ${outcome}`;
            outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
          }
          for (const [index, code] of driver.codes.entries()) {
            for (const warehouse of WAREHOUSES) {
              const { data } = await service.call<InventoryRecord>(
                'GET',
                `/v2/inventory?productCode=${code}&warehouse=${warehouse}`,
              );
              expect(data).toMatchObject(recordIn(model, index, warehouse));
            }
          }
        },
      );
      // No time limit of its own: a run cut short would pass without having tried its sequences.
      await fc.assert(property, { numRuns: SEQUENCES, seed });
      expect(sequences).toBe(SEQUENCES);
      const { orgId } = service.org.organization;
      expect(await verifyStock(service.db.database, orgId)).toMatchObject({ ok: true });
      expect(await verifyAudit(service.db.database, orgId)).toMatchObject({ ok: true });
      const table = [...outcomes].sort(([a], [b]) => a.localeCompare(b)).map(([name, n]) => `${name} ${n}`);
      console.log(
        `model: ${sequences} sequences, ${performed} operations, seed ${seed}: ${table.join(', ')}`,
      );
      // A run in which hardly anything succeeded, or hardly anything was refused, would prove little.
      for (const kind of ['adjust', 'hold', 'release', 'transfer', 'move', 'put'])
        expect([kind, outcomes.get(`${kind} ok`) ?? 0]).toEqual([
          kind,
          expect.toSatisfy((n: number) => n >= sized(2, 5)),
        ]);
      expect(outcomes.size).toBeGreaterThan(20);
    },
    sized(600_000, 1_800_000),
  );
});
