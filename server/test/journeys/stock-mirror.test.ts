import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InventoryRecord } from '../../src/stock/inventory.rules.js';
import { openTestService, sized } from '../harness/index.js';
import { Chance } from './chance.js';

const WRITERS = 16;
const WRITES = sized(200, 100_000);
/** Connections of the service are ended at random moments, so often. */
const KILLS = sized(3, 200);
const PRODUCTS = 12;
const WAREHOUSES = ['WH-1', 'WH-2'];
const PAGE = 5;

type Figures = readonly [total: number, available: number, reserved: number, blocked: number];
interface Changes {
  items: (InventoryRecord & { changedAt: string })[];
  nextCursor: string;
  hasMore: boolean;
}

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const codeOf = (n: number) => `MIRROR-${n}`;
const figuresOf = (record: InventoryRecord): Figures => [
  record.totalQuantity,
  record.availableQuantity,
  record.reservedQuantity,
  record.blockedQuantity,
];
const call = <D>(method: string, path: string, body?: object) => service.call<D>(method, path, body);

/** Makes random changes of stock. Most may be refused; a killed connection answers 5xx, and its change may have happened or not. */
class Writer {
  readonly #chance: Chance;
  readonly #orders: string[] = [];
  #documents = 0;
  #wrote = 0;

  constructor(readonly no: number) {
    this.#chance = new Chance(no + 1);
  }

  get #goods() {
    const warehouse = WAREHOUSES[this.#chance.below(2)] ?? '';
    return {
      productCode: codeOf(this.#chance.below(PRODUCTS)),
      batchNo: `B${this.#chance.below(2)}`,
      warehouse,
    };
  }

  async #try<D>(path: string, body: object): Promise<D | null> {
    const { status, data } = await call<D>('POST', path, body);
    if (status === 200) this.#wrote++;
    return status === 200 ? data : null;
  }

  async write(): Promise<void> {
    const { productCode, batchNo, warehouse } = this.#goods;
    const quantity = 1 + this.#chance.below(3);
    switch (this.#chance.below(7)) {
      case 0: {
        const line = { lineNo: 1, productCode, quantity, unitPrice: '1' };
        const sale = { customerCode: 'HOSP-1', warehouse, currency: 'EUR', lines: [line] };
        const orderNo = `SO-${this.no}-${++this.#documents}`;
        const order = await this.#try<{ orderId: string }>('/v2/orders', { orderNo, ...sale });
        if (order && (await this.#try(`/v2/orders/${order.orderId}/approve`, {})))
          this.#orders.push(order.orderId);
        return;
      }
      case 1: {
        const orderId = this.#orders.pop();
        if (orderId) await this.#try(`/v2/orders/${orderId}/cancel`, { reason: 'not needed' });
        return;
      }
      case 2: {
        const hold = { productCode, batchNo, warehouse, quantity, reason: 'to be tested' };
        const held = await this.#try<{ holdId: string }>('/v2/stock/holds', hold);
        if (held && this.#chance.oneIn(2))
          await this.#try(`/v2/stock/holds/${held.holdId}/release`, { reason: 'fine' });
        return;
      }
      case 3: {
        const to = WAREHOUSES.find((each) => each !== warehouse);
        await this.#try('/v2/stock/transfers', { productCode, batchNo, from: warehouse, to, quantity });
        return;
      }
      case 4: {
        const expiryDate = this.#chance.oneIn(4) ? '2026-11-01' : '2030-01-01';
        const path = `/v2/stock/batches/${productCode}/${batchNo}/corrections`;
        await this.#try(path, { expiryDate, reason: 'typing error' });
        return;
      }
      default: {
        const quantityDelta = this.#chance.oneIn(3) ? -quantity : quantity;
        const expiry = quantityDelta > 0 ? { expiryDate: '2030-01-01' } : {};
        const entry = { productCode, batchNo, warehouse, quantityDelta, ...expiry, reason: 'count' };
        await this.#try('/v2/stock/adjustments', entry);
      }
    }
  }

  get wrote(): number {
    return this.#wrote;
  }
}

/** A partner's copy of the stock, fed by the changes alone. */
class Mirror {
  readonly figures = new Map<string, Figures>();
  #cursor: string | null = null;

  /** Reads to the end of the feed. A failed call is repeated with the same cursor. */
  async catchUp(): Promise<void> {
    for (;;) {
      const after = this.#cursor === null ? '' : `&after=${encodeURIComponent(this.#cursor)}`;
      const { status, data } = await call<Changes>('GET', `/v2/inventory/changes?limit=${PAGE}${after}`);
      if (status !== 200) continue;
      for (const item of data.items)
        this.figures.set(`${item.productCode} ${item.warehouse}`, figuresOf(item));
      this.#cursor = data.nextCursor;
      if (!data.hasMore) return;
    }
  }
}

const endSomeConnections = () =>
  service.db.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and usename <> current_user and random() < 0.5`,
  );

it('a mirror built on the feed of changes alone has the stock of every product, with many writers and broken connections', {
  timeout: sized(240_000, 7_200_000),
}, async () => {
  for (let n = 0; n < PRODUCTS; n++)
    await call('PUT', `/v2/products/${codeOf(n)}`, { productName: 'Valve', tracking: 'batch' });
  const writers = Array.from({ length: WRITERS }, (_, no) => new Writer(no));
  const mirror = new Mirror();
  let left = WRITES;
  let nextKill = WRITES - Math.floor(WRITES / KILLS);
  const write = async (writer: Writer) => {
    while (left > 0) {
      left--;
      if (left < nextKill) {
        nextKill -= Math.floor(WRITES / KILLS);
        await endSomeConnections();
      }
      await writer.write();
    }
  };
  const written = Promise.all(writers.map(write));
  const read = async () => {
    while (left > 0) await mirror.catchUp();
  };
  await Promise.all([written, read()]);
  await mirror.catchUp();
  let compared = 0;
  for (let n = 0; n < PRODUCTS; n++) {
    const { data } = await call<InventoryRecord & { byWarehouse: InventoryRecord[] }>(
      'GET',
      `/v2/inventory?productCode=${codeOf(n)}`,
    );
    for (const warehouse of WAREHOUSES) {
      const record = data.byWarehouse.find((each) => each.warehouse === warehouse);
      const stock = record ? figuresOf(record) : [0, 0, 0, 0];
      expect(
        mirror.figures.get(`${codeOf(n)} ${warehouse}`) ?? [0, 0, 0, 0],
        `${codeOf(n)} ${warehouse}`,
      ).toEqual(stock);
      compared += stock[0] === 0 ? 0 : 1;
    }
  }
  const wrote = writers.reduce((sum, writer) => sum + writer.wrote, 0);
  expect(wrote).toBeGreaterThan(WRITES / 4);
  expect(compared).toBeGreaterThan(PRODUCTS / 2);
});
