import { randomInt, randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { type Answer, callApi, newOrganization } from '../harness/index.js';
import { BATCHES, type CrashWorld } from './crash-world.js';

export interface Adjusted {
  movementId: string;
  batchNo: string;
  quantityDelta: number;
}
type Movement = Adjusted & { kind: string };
interface MovementPage {
  items: Movement[];
  nextCursor: string | null;
}

const NEXT_KILL_WITHIN_MS = 900_000;
export const PRODUCT = 'STOCK-1';
export const STOCK_ORG = 'crash';

/** An organization whose stock callers adjust, and what its ledger and balances say. */
export async function openStock(world: CrashWorld, clients: number) {
  const org = await newOrganization(world, { code: STOCK_ORG });
  const keys = await Promise.all(Array.from({ length: clients }, async () => (await org.newKey()).apiKey));
  await world.must('PUT', '/v2/warehouses/WH-1', { name: 'Main' }, org.key);
  await world.must('PUT', `/v2/products/${PRODUCT}`, { productName: 'Sturdy' }, org.key);
  const adjustment = (batchNo: string, quantityDelta: number, reason: string) => ({
    productCode: PRODUCT,
    warehouse: 'WH-1',
    batchNo,
    quantityDelta,
    reason,
  });
  for (const batchNo of BATCHES) {
    const body = { ...adjustment(batchNo, 1_000, 'opening'), expiryDate: null };
    await world.must('POST', '/v2/stock/adjustments', body, org.key);
  }
  return {
    key: org.key,
    keys,
    adjustment,
    ledger: () => ledgerOf(world, org.key),
    async balances(url = world.url): Promise<Record<string, number>> {
      const path = `/v2/inventory?productCode=${PRODUCT}&warehouse=WH-1`;
      const { data } = await callApi<{ batches: { batchNo: string; quantity: number }[] }>(
        url,
        'GET',
        path,
        undefined,
        org.key,
      );
      return Object.fromEntries(data.batches.map((batch) => [batch.batchNo, batch.quantity]));
    },
  };
}
export type Stock = Awaited<ReturnType<typeof openStock>>;

async function ledgerOf(world: CrashWorld, key: string): Promise<Movement[]> {
  const rows: Movement[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page: MovementPage = await world.must('GET', `/v2/stock/movements?limit=200${at}`, undefined, key);
    rows.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

export const sumsOf = (rows: readonly Adjusted[]): Record<string, number> => {
  const total: Record<string, number> = {};
  for (const row of rows) total[row.batchNo] = (total[row.batchNo] ?? 0) + row.quantityDelta;
  return total;
};

/**
 * Clients that repeat a request with the same idempotency key until its outcome is known. One of them loses a response
 * before every kill, so that something that was done is repeated after each.
 */
export class StockLoad {
  readonly acknowledged: Adjusted[] = [];
  readonly failures: unknown[] = [];
  refused = 0;
  unknown = 0;
  /** Kills between a response that was lost and its repetition. */
  lost = 0;
  #stopping = false;
  #clients: Promise<void>[] = [];

  constructor(
    private readonly world: CrashWorld,
    private readonly stock: Stock,
    private readonly kills: number,
  ) {}

  begin(): this {
    const clients = this.stock.keys.map((key) => this.#client(key));
    this.#clients = [...clients, this.#forgetfulClient()].map((client) =>
      client.catch((error: unknown) => {
        this.failures.push(error);
      }),
    );
    return this;
  }

  async finish(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#clients);
  }

  #nextBody(): object {
    const batchNo = BATCHES[randomInt(BATCHES.length)] ?? '';
    const quantityDelta = randomInt(2) === 0 ? randomInt(1, 6) : -randomInt(1, 6);
    return this.stock.adjustment(batchNo, quantityDelta, 'load');
  }

  async #forgetfulClient(): Promise<void> {
    const { kills } = this.world;
    while (kills.length < this.kills) {
      const [known, body, key] = [kills.length, this.#nextBody(), randomUUID()];
      const lost = await this.#untilKnown(body, this.stock.key, key);
      await vi.waitFor(() => expect(kills.length).toBeGreaterThan(known), {
        timeout: NEXT_KILL_WITHIN_MS,
        interval: 100,
      });
      await this.world.recovered();
      const answer = await this.#untilKnown(body, this.stock.key, key);
      expect([answer.status, answer.data]).toEqual([lost.status, lost.data]);
      if (answer.status === 200) this.acknowledged.push(answer.data);
      this.lost++;
    }
  }

  async #client(key: string): Promise<void> {
    while (!this.#stopping) {
      const body = this.#nextBody();
      const answer = await this.#untilKnown(body, key, randomUUID());
      if (answer.status === 200) this.acknowledged.push(answer.data);
      else this.refused++;
    }
  }

  async #untilKnown(body: object, key: string, idempotencyKey: string): Promise<Answer<Adjusted>> {
    for (;;) {
      const headers = { 'idempotency-key': idempotencyKey };
      const answer = await this.world.send<Adjusted>('/v2/stock/adjustments', body, key, headers);
      if (answer?.status === 200 || answer?.reason === 'insufficient_stock') return answer;
      if (answer) throw new Error(`not an answer to expect: ${answer.text}`);
      this.unknown++;
      await this.world.recovered();
    }
  }
}
