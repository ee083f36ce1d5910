import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAudit } from '../../src/audit/index.js';
import { verifyStock } from '../../src/stock/index.js';
import type { InventoryRecord } from '../../src/stock/inventory.rules.js';
import { openTestService, sized } from '../harness/index.js';
import { type Done, opening, operation, StockDriver } from './stock-driver.js';

const seed = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));
const SEQUENCES = sized(30, 600);
const CLIENTS = 4;

type Inventory = InventoryRecord & { byWarehouse?: InventoryRecord[] };

describe('many callers at once', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  beforeAll(async () => {
    service = await openTestService();
  });
  afterAll(() => service.close());

  function expectSums(record: Inventory): void {
    const parts = [record.availableQuantity, record.reservedQuantity, record.blockedQuantity];
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
    const total = parts.reduce((sum, part) => sum + part, 0);
    expect(record.totalQuantity).toBe(total);
    expect(record.batches.reduce((sum, batch) => sum + batch.quantity, 0)).toBe(total);
    expect(record.batches.every((batch) => batch.quantity > 0)).toBe(true);
    if (!record.byWarehouse) return;
    record.byWarehouse.forEach(expectSums);
    expect(record.byWarehouse.reduce((sum, each) => sum + each.totalQuantity, 0)).toBe(total);
  }

  async function readInventory(code: string): Promise<void> {
    const { status, data } = await service.call<Inventory>('GET', `/v2/inventory?productCode=${code}`);
    expect(status).toBe(200);
    expectSums(data);
  }

  /** Every success left its rows, every refusal none. */
  async function expectTraces(driver: StockDriver, done: readonly Done[]): Promise<void> {
    const entries = await service.db.sql<{ id: string; actions: string[] }>(
      `select request_id as id, array_agg(action) as actions from audit_entries
       where request_id = any($1) group by request_id`,
      [done.map((each) => each.requestId)],
    );
    const actionOf = { adjust: 'adjust', hold: 'hold', release: 'release', transfer: 'transfer' };
    for (const {
      requestId,
      operation: { kind },
      outcome,
    } of done) {
      const actions = entries.find((entry) => entry.id === requestId)?.actions ?? [];
      const expected = kind === 'put' ? 'product.put' : `stock.${actionOf[kind]}`;
      const own = actions.filter((action) => action !== 'stock.shrink_hold');
      expect([requestId, outcome, own]).toEqual([requestId, outcome, outcome === 'ok' ? [expected] : []]);
    }
    const succeeded = (kind: string) =>
      done.filter((each) => each.operation.kind === kind && each.outcome === 'ok');
    const movements = await service.db.sql<{ kind: string; id: string }>(
      `select kind, case kind when 'adjustment' then movement_id else document_id end as id
       from movements where product_code = any($1) and kind not in ('hold', 'release')`,
      [driver.codes],
    );
    const idsOf = (kind: string) =>
      movements
        .filter((each) => each.kind === kind)
        .map((each) => each.id)
        .sort();
    expect(idsOf('adjustment')).toEqual(
      succeeded('adjust')
        .map((each) => each.id)
        .sort(),
    );
    for (const kind of ['transfer_out', 'transfer_in'])
      expect(idsOf(kind)).toEqual(
        succeeded('transfer')
          .map((each) => each.id)
          .sort(),
      );
  }

  async function expectBalances(driver: StockDriver): Promise<void> {
    const wrong = await service.db.sql(
      `select coalesce(b.product_code, m.product_code) as code, b.quantity, m.total
       from (select product_code, warehouse, batch_no, sum(quantity_delta)::integer as total from movements
             where product_code = any($1) group by 1, 2, 3) m
       full join (select * from balances where product_code = any($1)) b using (product_code, warehouse, batch_no)
       where b.quantity is distinct from m.total or b.quantity < 0 or b.reserved < 0 or b.held < 0`,
      [driver.codes],
    );
    expect(wrong).toEqual([]);
  }

  it(
    `never break the sums, and leave their rows or nothing (${SEQUENCES} sequences, seed ${seed})`,
    async () => {
      const { orgId } = service.org.organization;
      let sequences = 0;
      let performed = 0;
      let succeeded = 0;
      const script = fc.array(fc.tuple(operation, fc.boolean()), { minLength: 5, maxLength: 8, size: 'max' });
      const property = fc.asyncProperty(
        fc.array(script, { minLength: CLIENTS, maxLength: CLIENTS }),
        async (scripts) => {
          const driver = new StockDriver(service, `C${++sequences}`);
          await driver.prepare();
          const done: Done[] = [];
          for (const each of opening) done.push(await driver.perform(each, 'verb'));
          let running = scripts.length;
          const clients = scripts.map(async (steps) => {
            try {
              for (const [each, overHttp] of steps)
                done.push(await driver.perform(each, overHttp ? 'http' : 'verb'));
            } finally {
              running--;
            }
          });
          const reader = async () => {
            while (running > 0) for (const code of driver.codes) await readInventory(code);
          };
          await Promise.all([...clients, reader()]);
          performed += done.length;
          succeeded += done.filter((each) => each.outcome === 'ok').length;
          for (const code of driver.codes) await readInventory(code);
          await expectBalances(driver);
          await expectTraces(driver, done);
          if (sequences % 20 === 0)
            expect(await verifyStock(service.db.database, orgId)).toMatchObject({ ok: true });
        },
      );
      // Another run of the same script interleaves otherwise, so there is nothing to shrink.
      await fc.assert(property, { numRuns: SEQUENCES, seed, endOnFailure: true });
      expect(await verifyStock(service.db.database, orgId)).toMatchObject({
        ok: true,
        firstDifference: null,
      });
      expect(await verifyAudit(service.db.database, orgId)).toMatchObject({
        ok: true,
        firstDifference: null,
      });
      console.log(
        `concurrency: ${sequences} sequences, ${performed} operations by ${CLIENTS} clients, ${succeeded} succeeded, seed ${seed}`,
      );
      expect(succeeded).toBeGreaterThan(SEQUENCES * 10);
    },
    sized(180_000, 1_500_000),
  );
});
