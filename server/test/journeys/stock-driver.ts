import fc from 'fast-check';
import { putProducts } from '../../src/catalogue/index.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { ApiError } from '../../src/platform/errors/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { adjustStock, holdStock } from '../../src/stock/index.js';
import { releaseHold } from '../../src/stock/release-hold.js';
import { type TransferRequest, transferStock } from '../../src/stock/transfer-stock.js';
import type { openTestService } from '../harness/index.js';
import { type Operation, type Outcome, TRACKINGS, transferOf, WAREHOUSES } from './stock-model.js';

type Service = Awaited<ReturnType<typeof openTestService>>;

const batchNo = fc.constantFrom('B1', 'B1', 'B1', 'B2', 'B2', 'B3', '');
const warehouse = fc.constantFrom(...Array.from({ length: 12 }, () => WAREHOUSES).flat(), 'NOPE');
const product = fc.nat(TRACKINGS.length - 1);
const serials = fc.oneof(
  fc.constant<string[]>([]),
  fc.subarray(['S1', 'S2', 'S3', 'S4', 'S5'], { minLength: 1, maxLength: 3 }),
);
const delta = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -5, max: -1 }));

/** B1 keeps, B2 has expired; sometimes a caller says otherwise. */
const expiryOf = (batch: string) => (batch === 'B2' ? '2020-01-01' : null);
const adjust = fc
  .record({
    kind: fc.constant('adjust' as const),
    product,
    warehouse,
    batchNo,
    delta,
    expiry: fc.constantFrom('unsaid', 'unsaid', 'right', 'right', 'right', 'wrong'),
    serials,
  })
  .map(({ expiry, ...o }) => ({
    ...o,
    delta: o.serials.length > 0 ? Math.sign(o.delta) * o.serials.length : o.delta,
    expiryDate: expiry === 'unsaid' ? undefined : expiry === 'right' ? expiryOf(o.batchNo) : '2030-01-01',
  }));
const hold = fc.record({
  kind: fc.constant('hold' as const),
  product,
  batchNo,
  warehouse: fc.oneof(fc.constant(undefined), warehouse),
  extent: fc.constantFrom('batch' as const, 'quantity' as const, 'serials' as const),
  quantity: fc.integer({ min: 1, max: 4 }),
  serials: fc.subarray(['S1', 'S2', 'S3', 'S4', 'S5'], { minLength: 1, maxLength: 3 }),
  category: fc.constantFrom('logistics' as const, 'quality' as const),
});
const release = fc.record({
  kind: fc.constant('release' as const),
  hold: fc.nat(99),
  reason: fc.constantFrom('property', 'property', null),
});
const transfer = fc
  .record({
    kind: fc.constant('transfer' as const),
    product,
    batchNo,
    from: warehouse,
    to: warehouse,
    turned: fc.boolean(),
    quantity: fc.integer({ min: 1, max: 4 }),
    serials,
  })
  .map(({ turned, ...o }) => ({
    ...o,
    to: turned && o.from === o.to ? (WAREHOUSES.find((code) => code !== o.from) ?? o.to) : o.to,
    quantity: o.serials.length > 0 ? o.serials.length : o.quantity,
  }));
const move = fc
  .record({
    kind: fc.constant('move' as const),
    hold: fc.nat(99),
    from: warehouse,
    to: warehouse,
    turned: fc.integer({ min: 0, max: 9 }),
    quantity: fc.integer({ min: 1, max: 4 }),
    serials: fc.subarray(['S1', 'S2', 'S3', 'S4', 'S5'], { minLength: 1, maxLength: 2 }),
  })
  .map(({ turned, ...o }) => ({
    ...o,
    to: turned > 0 && o.from === o.to ? (WAREHOUSES.find((code) => code !== o.from) ?? o.to) : o.to,
  }));
const put = fc.record({
  kind: fc.constant('put' as const),
  product,
  tracking: fc.constantFrom(...TRACKINGS),
});

const openingStock: readonly Operation[] = TRACKINGS.flatMap((tracking, index) =>
  (tracking === 'none' ? [''] : ['B1', 'B2']).flatMap((batch) =>
    WAREHOUSES.map((place, at): Operation => {
      const units = tracking === 'serial' ? (batch === 'B1' ? [`S${1 + at * 2}`, `S${2 + at * 2}`] : []) : [];
      return {
        kind: 'adjust',
        product: index,
        warehouse: place,
        batchNo: batch,
        delta: tracking === 'serial' ? Math.max(1, units.length) : 4,
        expiryDate: expiryOf(batch),
        serials: tracking === 'serial' && units.length === 0 ? [`T${at}`] : units,
      };
    }),
  ),
);

const openingHold = { kind: 'hold' as const, warehouse: 'WH-1', quantity: 2, category: 'quality' as const };

/** The start of every sequence: stock of every product in every warehouse, and some of it on hold. */
export const opening: readonly Operation[] = [
  ...openingStock,
  { ...openingHold, product: 0, batchNo: 'B1', extent: 'quantity', serials: [] },
  { ...openingHold, product: 1, batchNo: 'B1', extent: 'serials', serials: ['S1', 'S2'] },
  { ...openingHold, product: 2, batchNo: '', extent: 'batch', serials: [] },
];

/** Adapts an operation to the initial tracking of its product, so that most operations reach the stock rules. */
function fitting<O extends Operation>(operation: O, tracking: string): O {
  if (!('batchNo' in operation)) return operation;
  const fitted = {
    ...operation,
    batchNo: tracking === 'none' ? '' : operation.batchNo || 'B1',
    serials: tracking === 'serial' ? operation.serials : [],
  };
  if (operation.kind === 'hold' && operation.extent === 'serials' && tracking !== 'serial')
    return { ...fitted, extent: 'quantity' } as O;
  return fitted as O;
}

const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  { arbitrary: adjust, weight: 10 },
  { arbitrary: hold, weight: 5 },
  { arbitrary: release, weight: 4 },
  { arbitrary: transfer, weight: 6 },
  { arbitrary: move, weight: 8 },
  { arbitrary: put, weight: 4 },
);

export const operation: fc.Arbitrary<Operation> = fc
  .tuple(anyOperation, fc.integer({ min: 0, max: 9 }))
  .map(([each, luck]) =>
    luck === 0 || !('product' in each) ? each : fitting(each, TRACKINGS[each.product] ?? 'batch'),
  );

export interface Done {
  requestId: string;
  operation: Operation;
  outcome: Outcome;
  /** The id in a successful response. */
  id: string | null;
}

/** Performs operations on three products of its own, over HTTP or by calling the verbs directly. */
export class StockDriver {
  readonly codes: readonly string[];
  /** In the order in which they were made, also by splitting. */
  readonly holds: { id: string; product: number; batchNo: string }[] = [];
  #requests = 0;

  constructor(
    readonly service: Service,
    readonly sequence: string,
  ) {
    this.codes = TRACKINGS.map((tracking) => `${sequence}-${tracking}`);
  }

  async prepare(): Promise<void> {
    for (const [index, tracking] of TRACKINGS.entries())
      await this.perform({ kind: 'put', product: index, tracking }, 'http');
  }

  async perform(operation: Operation, way: 'http' | 'verb'): Promise<Done> {
    const ownId = `${this.sequence}.${++this.#requests}`;
    const { path, method, body, verb, performed } = this.#callOf(operation);
    const { outcome, id, newHoldId, requestId } =
      way === 'http'
        ? await this.#overHttp(method, path, body)
        : { ...(await this.#byVerb(ownId, verb)), requestId: ownId };
    const made = performed.kind === 'hold' ? id : newHoldId;
    if (made !== null && 'batchNo' in performed)
      this.holds.push({ id: made, product: performed.product, batchNo: performed.batchNo });
    return { requestId, operation: performed, outcome, id };
  }

  async #overHttp(method: string, path: string, body: object) {
    const answer = await this.service.call<Record<string, string>>(method, path, body);
    const requestId = answer.headers.get('x-request-id') ?? '';
    if (answer.status === 404) return { outcome: 'missing', id: null, newHoldId: null, requestId };
    if (answer.status !== 200 && answer.status !== 400) throw new Error(`${method} ${path}: ${answer.text}`);
    const ids = answer.status === 200 ? idsIn(answer.data) : NO_IDS;
    return { outcome: answer.reason ?? 'ok', ...ids, requestId };
  }

  async #byVerb(requestId: string, verb: (tx: Tx) => Promise<object>) {
    const { db, org } = this.service;
    const principal = systemPrincipal(org.organization.orgId, 'verb@test.example');
    try {
      const done = await transact(db.database, principal, verb, { requestId });
      return { outcome: 'ok', ...idsIn(done as Record<string, string>) };
    } catch (error) {
      if (!(error instanceof ApiError) || (error.kind !== 'invalid' && error.kind !== 'missing')) throw error;
      const outcome = error.kind === 'missing' ? 'missing' : (error.issues[0]?.reason ?? '?');
      return { outcome, ...NO_IDS };
    }
  }

  #callOf(operation: Operation): {
    method: string;
    path: string;
    body: object;
    verb: (tx: Tx) => Promise<object>;
    /** The operation with its product and batch. */
    performed: Operation;
  } {
    const call = { method: 'POST', performed: operation };
    const code = 'product' in operation ? (this.codes[operation.product] ?? '') : '';
    switch (operation.kind) {
      case 'adjust': {
        const { warehouse, batchNo, delta, expiryDate, serials } = operation;
        const body = {
          productCode: code,
          warehouse,
          batchNo,
          quantityDelta: delta,
          reason: 'property',
          ...(expiryDate === undefined ? {} : { expiryDate }),
          ...(serials.length > 0 ? { serials } : {}),
        };
        return { ...call, path: '/v2/stock/adjustments', body, verb: (tx) => adjustStock(tx, body) };
      }
      case 'hold': {
        const { warehouse, batchNo, extent, quantity, serials, category } = operation;
        const body = {
          productCode: code,
          batchNo,
          category,
          reason: 'property',
          ...(warehouse === undefined ? {} : { warehouse }),
          ...(extent === 'quantity' ? { quantity } : {}),
          ...(extent === 'serials' ? { serials } : {}),
        };
        return { ...call, path: '/v2/stock/holds', body, verb: (tx) => holdStock(tx, body) };
      }
      case 'release': {
        const holdId = this.holds[operation.hold % this.holds.length]?.id ?? 'hld_none';
        const path = `/v2/stock/holds/${holdId}/release`;
        const body = { reason: operation.reason };
        const verb = (tx: Tx) => releaseHold(tx, { holdId, decidesQuality: true, ...body });
        return { ...call, path, body, verb };
      }
      case 'transfer': {
        const { batchNo, from, to, quantity, serials } = operation;
        const given = serials.length > 0 ? { serials } : {};
        const body = { productCode: code, batchNo, from, to, quantity, ...given };
        return { ...call, path: '/v2/stock/transfers', body, verb: (tx) => transferStock(tx, body) };
      }
      case 'move': {
        const hold = this.holds[operation.hold % this.holds.length];
        if (!hold) return this.#callOf({ kind: 'release', hold: 0, reason: null });
        const performed = transferOf(operation, hold);
        const transfer = this.#callOf(performed);
        const body = { ...(transfer.body as TransferRequest), holdId: hold.id };
        return { ...transfer, body, verb: (tx) => transferStock(tx, body) };
      }
      case 'put': {
        const body = { productName: code, tracking: operation.tracking };
        const verb = async (tx: Tx) => (await putProducts(tx, [{ productCode: code, input: body }]))[0] ?? {};
        return { ...call, method: 'PUT', path: `/v2/products/${code}`, body, verb };
      }
    }
  }
}

const NO_IDS = { id: null, newHoldId: null };
const idsIn = (data: Record<string, string>) => ({
  id: data.movementId ?? data.transferId ?? data.holdId ?? data.id ?? null,
  newHoldId: data.newHoldId ?? null,
});
