import fc from 'fast-check';
import { putProducts } from '../../src/catalogue/index.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { ApiError } from '../../src/platform/errors/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { adjustStock, holdStock } from '../../src/stock/index.js';
import { releaseHold } from '../../src/stock/release-hold.js';
import { transferStock } from '../../src/stock/transfer-stock.js';
import type { openTestService } from '../harness/index.js';
import { type Operation, type Outcome, TRACKINGS, WAREHOUSES } from './stock-model.js';

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
});
const release = fc.record({ kind: fc.constant('release' as const), hold: fc.nat(99) });
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
const put = fc.record({
  kind: fc.constant('put' as const),
  product,
  tracking: fc.constantFrom(...TRACKINGS),
});

/** The start of every sequence: stock of every product in every warehouse. */
export const opening: readonly Operation[] = TRACKINGS.flatMap((tracking, index) =>
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
  readonly holdIds: string[] = [];
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
    const { path, method, body, verb } = this.#callOf(operation);
    const { outcome, id, requestId } =
      way === 'http'
        ? await this.#overHttp(method, path, body)
        : { ...(await this.#byVerb(ownId, verb)), requestId: ownId };
    if (operation.kind === 'hold' && id !== null) this.holdIds.push(id);
    return { requestId, operation, outcome, id };
  }

  async #overHttp(method: string, path: string, body: object) {
    const answer = await this.service.call<Record<string, string>>(method, path, body);
    const requestId = answer.headers.get('x-request-id') ?? '';
    if (answer.status === 404) return { outcome: 'missing', id: null, requestId };
    if (answer.status !== 200 && answer.status !== 400) throw new Error(`${method} ${path}: ${answer.text}`);
    const id = answer.status === 200 ? idIn(answer.data) : null;
    return { outcome: answer.reason ?? 'ok', id, requestId };
  }

  async #byVerb(requestId: string, verb: (tx: Tx) => Promise<object>) {
    const { db, org } = this.service;
    const principal = systemPrincipal(org.organization.orgId, 'verb@test.example');
    try {
      const done = await transact(db.database, principal, verb, { requestId });
      return { outcome: 'ok', id: idIn(done as Record<string, string>) };
    } catch (error) {
      if (!(error instanceof ApiError) || (error.kind !== 'invalid' && error.kind !== 'missing')) throw error;
      return { outcome: error.kind === 'missing' ? 'missing' : (error.issues[0]?.reason ?? '?'), id: null };
    }
  }

  #callOf(operation: Operation): {
    method: string;
    path: string;
    body: object;
    verb: (tx: Tx) => Promise<object>;
  } {
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
        return { method: 'POST', path: '/v2/stock/adjustments', body, verb: (tx) => adjustStock(tx, body) };
      }
      case 'hold': {
        const { warehouse, batchNo, extent, quantity, serials } = operation;
        const body = {
          productCode: code,
          batchNo,
          reason: 'property',
          ...(warehouse === undefined ? {} : { warehouse }),
          ...(extent === 'quantity' ? { quantity } : {}),
          ...(extent === 'serials' ? { serials } : {}),
        };
        return { method: 'POST', path: '/v2/stock/holds', body, verb: (tx) => holdStock(tx, body) };
      }
      case 'release': {
        const holdId = this.holdIds[operation.hold % this.holdIds.length] ?? 'hld_none';
        const path = `/v2/stock/holds/${holdId}/release`;
        const body = { reason: 'property' };
        return {
          method: 'POST',
          path,
          body,
          verb: (tx) => releaseHold(tx, { holdId, decidesQuality: true, ...body }),
        };
      }
      case 'transfer': {
        const { batchNo, from, to, quantity, serials } = operation;
        const given = serials.length > 0 ? { serials } : {};
        const body = { productCode: code, batchNo, from, to, quantity, ...given };
        return { method: 'POST', path: '/v2/stock/transfers', body, verb: (tx) => transferStock(tx, body) };
      }
      case 'put': {
        const body = { productName: code, tracking: operation.tracking };
        const verb = async (tx: Tx) => (await putProducts(tx, [{ productCode: code, input: body }]))[0] ?? {};
        return { method: 'PUT', path: `/v2/products/${code}`, body, verb };
      }
    }
  }
}

const idIn = (data: Record<string, string>): string | null =>
  data.movementId ?? data.holdId ?? data.transferId ?? data.id ?? null;
