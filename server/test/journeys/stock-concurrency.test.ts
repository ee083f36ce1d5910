import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAudit } from '../../src/audit/index.js';
import { verifyStock } from '../../src/stock/index.js';
import type { InventoryRecord } from '../../src/stock/inventory.rules.js';
import { openTestService, sized } from '../harness/index.js';
import { type Done, opening, operation, StockDriver } from './stock-driver.js';
import type { Operation } from './stock-model.js';

const seed = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));
const SEQUENCES = sized(3, 600);
const CLIENTS = 4;

/** Adjustments by when they began and finished, as a client sees it. */
class Adjustments {
  readonly #all: { code: string; delta: number; outcome: string | null }[] = [];

  constructor(readonly codes: readonly string[]) {}

  async record(operation: Operation, work: () => Promise<Done>): Promise<Done> {
    if (operation.kind !== 'adjust') return work();
    const code = this.codes[operation.product] ?? '';
    const entry = { code, delta: operation.delta, outcome: null as string | null };
    this.#all.push(entry);
    const done = await work();
    entry.outcome = done.outcome;
    return done;
  }

  finishedTotal(code: string): number {
    const finished = this.#all.filter((each) => each.code === code && each.outcome === 'ok');
    return finished.reduce((sum, each) => sum + each.delta, 0);
  }

  /** From now on: `deltas` are those unfinished now, or begun since. Refused ones only widen the bounds. */
  markUnfinished(code: string): { deltas(): number[] } {
    const finished = new Set(this.#all.filter((each) => each.outcome !== null));
    return {
      deltas: () =>
        this.#all.filter((each) => each.code === code && !finished.has(each)).map((each) => each.delta),
    };
  }
}

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

  const read = async (code: string): Promise<Inventory> => {
    const { status, data } = await service.call<Inventory>('GET', `/v2/inventory?productCode=${code}`);
    expect(status).toBe(200);
    expectSums(data);
    return data;
  };

  /**
   * Reads while others write. The total must be that of the adjustments finished before the read, give or take those under
   * way during it: a transfer seen by half, or an adjustment lost or seen twice, is outside.
   */
  async function readDuring(adjustments: Adjustments, code: string): Promise<void> {
    const finished = adjustments.finishedTotal(code);
    const open = adjustments.markUnfinished(code);
    const { totalQuantity } = await read(code);
    const deltas = open.deltas();
    const sum = (some: readonly number[]) => some.reduce((total, each) => total + each, finished);
    expect(totalQuantity).toBeGreaterThanOrEqual(sum(deltas.filter((delta) => delta < 0)));
    expect(totalQuantity).toBeLessThanOrEqual(sum(deltas.filter((delta) => delta > 0)));
  }

  /** Totals by what the callers were answered, warehouse by warehouse, against what the inventory shows. */
  async function expectAnsweredTotals(driver: StockDriver, done: readonly Done[]): Promise<void> {
    for (const [index, code] of driver.codes.entries()) {
      const expected = new Map<string, number>();
      const add = (warehouse: string, quantity: number) =>
        expected.set(warehouse, (expected.get(warehouse) ?? 0) + quantity);
      for (const { operation: each, outcome } of done) {
        if (outcome !== 'ok' || !('product' in each) || each.product !== index) continue;
        if (each.kind === 'adjust') add(each.warehouse, each.delta);
        if (each.kind === 'transfer') {
          add(each.from, -each.quantity);
          add(each.to, each.quantity);
        }
      }
      const { byWarehouse = [], totalQuantity } = await read(code);
      const found = byWarehouse.map(({ warehouse, totalQuantity: total }) => [warehouse, total]);
      expect(found).toEqual([...expected].filter(([, total]) => total > 0).sort());
      expect(totalQuantity).toBe([...expected.values()].reduce((sum, each) => sum + each, 0));
    }
  }

  /** Every success left its rows, every refusal none. */
  async function expectTraces(driver: StockDriver, done: readonly Done[]): Promise<void> {
    const entries = await service.db.sql<{ id: string; actions: string[] }>(
      `select request_id as id, array_agg(action) as actions from audit_entries
       where request_id = any($1) group by request_id`,
      [done.map((each) => each.requestId)],
    );
    const actionOf = {
      adjust: 'adjust',
      hold: 'hold',
      release: 'release',
      transfer: 'transfer',
      move: 'transfer',
    };
    // A hold that loses its last unit ends.
    const ofHolds = ['stock.shrink_hold', 'stock.move_hold', 'stock.split_hold', 'stock.release'];
    for (const {
      requestId,
      operation: { kind },
      outcome,
    } of done) {
      const actions = entries.find((entry) => entry.id === requestId)?.actions ?? [];
      const expected = kind === 'put' ? 'product.put' : `stock.${actionOf[kind]}`;
      const own = actions.filter((action) => action === expected || !ofHolds.includes(action));
      // A product that is put as it is already leaves none.
      const isUnchanged = kind === 'put' && own.length === 0;
      const left = outcome === 'ok' && !isUnchanged ? [expected] : [];
      expect([requestId, outcome, own]).toEqual([requestId, outcome, left]);
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
      const tried = new Map<string, number>();
      const script = fc.array(fc.tuple(operation, fc.boolean()), { minLength: 5, maxLength: 8, size: 'max' });
      const property = fc.asyncProperty(
        fc.array(script, { minLength: CLIENTS, maxLength: CLIENTS }),
        async (scripts) => {
          const driver = new StockDriver(service, `C${++sequences}`);
          await driver.prepare();
          const done: Done[] = [];
          const adjustments = new Adjustments(driver.codes);
          const perform = async (each: Operation, way: 'http' | 'verb') =>
            done.push(await adjustments.record(each, () => driver.perform(each, way)));
          for (const each of opening) await perform(each, 'verb');
          let running = scripts.length;
          const clients = scripts.map(async (steps) => {
            try {
              for (const [each, overHttp] of steps) await perform(each, overHttp ? 'http' : 'verb');
            } finally {
              running--;
            }
          });
          const reader = async () => {
            while (running > 0) for (const code of driver.codes) await readDuring(adjustments, code);
          };
          await Promise.all([...clients, reader()]);
          performed += done.length;
          for (const { operation: each } of done) tried.set(each.kind, (tried.get(each.kind) ?? 0) + 1);
          succeeded += done.filter((each) => each.outcome === 'ok').length;
          await expectAnsweredTotals(driver, done);
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
      expect([...tried.keys()].sort()).toEqual(['adjust', 'hold', 'put', 'release', 'transfer']);
    },
    sized(180_000, 1_500_000),
  );
});
