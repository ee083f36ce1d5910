import { addDays } from '../../src/platform/calendar/index.js';
import type { TestOrganization } from '../harness/index.js';
import { Chance } from './chance.js';
import { fitting, type Verb } from './flow-verbs.js';
import { type DispatchView, type OrderView, statusOf, type World } from './flow-world.js';

const WAREHOUSES = ['WH-1', 'WH-1', 'WH-1', 'WH-2'];

interface Receipt {
  receiptNo: string;
  receiptId: string;
  lines: { lineNo: number; quantity: number; serials: string[] }[];
}

interface KnownOrder {
  orderId: string;
  status: string;
  body: ReturnType<World['orderBody']>;
}
interface HeldGoods {
  holdId: string;
  productCode: string;
  batchNo: string;
  extent: string;
  warehouse: string | null;
  quantity: number | null;
  serials: string[];
}
interface KnownDispatch {
  dispatchId: string;
  orderId: string;
  status: string;
}

/** Two products, and all that several people do with them at once. */
export class FlowDriver {
  readonly outcomes = new Map<string, number>();
  readonly #receipts: Receipt[] = [];
  readonly #orders: KnownOrder[] = [];
  readonly #dispatches: KnownDispatch[] = [];
  readonly #holds: string[] = [];
  readonly #codes: { batch: string; serial: string };
  #units = 0;

  constructor(
    readonly world: World,
    readonly org: TestOrganization,
    readonly name: string,
  ) {
    this.#codes = { batch: `${name}-B`, serial: `${name}-S` };
  }

  async prepare(): Promise<void> {
    await this.#put(this.#codes.batch, 8);
    await this.#put(this.#codes.serial, 2);
    const chance = new Chance(1);
    for (const productCode of [this.#codes.batch, this.#codes.serial]) {
      for (const quantity of [9, 12]) {
        const receipt = await this.#enter(chance, this.org.key, { productCode, quantity, kind: 'purchase' });
        if (receipt)
          await this.#judge(
            this.org.key,
            receipt,
            receipt.lines.map((line) => line.quantity),
          );
      }
    }
    for (const verb of ['order', 'order', 'approve', 'approve', 'dispatch', 'order'] as const)
      await this.#do(verb, chance, this.org.key);
  }

  #put(code: string, safetyStock: number, key = this.org.key) {
    const tracking = code === this.#codes.serial ? 'serial' : 'batch';
    const body = { productName: code, tracking, safetyStock };
    return this.#send('PUT', `/v2/products/${code}`, body, key);
  }

  /** A day that comes while the sequence runs, one that is near, one that is far. */
  readonly #expiry = new Map<string, string>();
  #expiryOf(productCode: string, batchNo: string): string {
    const batch = `${productCode}/${batchNo}`;
    const known = this.#expiry.get(batch);
    if (known !== undefined) return known;
    const day = this.#daysFromNow({ B1: 900, B2: 400, B3: 0 }[batchNo] ?? 1);
    this.#expiry.set(batch, day);
    return day;
  }

  #daysFromNow(days: number): string {
    return addDays(this.world.db.clock.now().toISOString().slice(0, 10), days);
  }

  /** One step of one actor. An outcome that is neither done nor refused is a defect. */
  async step(verb: Verb, chance: Chance, key: string): Promise<void> {
    const outcome = await this.#do(verb, chance, key);
    const name = `${verb} ${outcome}`;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
  }

  async #send<D>(method: string, path: string, body: unknown, key: string, chance?: Chance) {
    const { api } = this.world;
    const twice = method === 'POST' && chance?.oneIn(12);
    const headers = twice ? { 'idempotency-key': `${this.name} ${++this.#units}` } : {};
    const [answer, again] = await Promise.all([
      api.call<D>(method, path, body, key, headers),
      twice ? api.call<D>(method, path, body, key, headers) : null,
    ]);
    if (![200, 400, 404].includes(answer.status) || answer.reason === 'bad_type')
      throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
    if (again && answer.status !== 404 && again.text !== answer.text)
      throw new Error(`${method} ${path} twice with one key: ${answer.text} and ${again.text}`);
    return answer;
  }

  async #do(verb: Verb, chance: Chance, key: string): Promise<string> {
    switch (verb) {
      case 'receipt':
        return (await this.#enter(chance, key)) ? 'ok' : 'refused';
      case 'accept':
        return this.#accept(chance, key);
      case 'cancelReceipt': {
        const receipt = chance.of(this.#receipts.slice(-4));
        if (!receipt) return 'none';
        const path = `/v2/receipts/${receipt.receiptId}/cancel`;
        return statusOf(await this.#send('POST', path, { reason: 'model' }, key, chance));
      }
      case 'correct':
        return this.#correct(chance, key);
      case 'order':
      case 'update':
      case 'cancelBySync':
        return this.#sync(verb, chance, key);
      case 'dispatch':
        return this.#open(chance, key);
      case 'pick':
        return this.#pick(chance, key);
      case 'recheck':
      case 'deliver':
      case 'cancelDispatch':
        return this.#onDispatch(verb, chance, key);
      case 'stockHold':
      case 'stockRelease':
      case 'adjust':
      case 'transfer':
        return this.#onStock(verb, chance, key);
      case 'moveHeld':
        return this.#moveHeld(chance, key);
      case 'safety':
        return statusOf(await this.#put(this.#codes.batch, 5 + chance.below(12), key));
      case 'time':
        this.world.db.clock.advance(8 * 3_600_000);
        return 'ok';
      default: {
        const order = fitting(this.#orders, verb, chance);
        if (!order) return 'none';
        const body = verb === 'approve' ? {} : { reason: 'model' };
        const path = `/v2/orders/${order.orderId}/${verb}`;
        const answer = await this.#send<OrderView>('POST', path, body, key, chance);
        if (answer.status === 200) order.status = answer.data.status;
        return statusOf(answer);
      }
    }
  }

  async #enter(
    chance: Chance,
    key: string,
    given: { productCode?: string; quantity?: number; kind?: string } = {},
  ): Promise<Receipt | null> {
    const kind = given.kind ?? (chance.oneIn(5) ? 'return' : 'purchase');
    const known = chance.oneIn(6) ? chance.of(this.#receipts) : undefined;
    const sold = kind === 'return' ? await this.#soldUnits() : [];
    const lines = Array.from({ length: given.productCode || chance.oneIn(2) ? 1 : 2 }, (_, i) => {
      const productCode = given.productCode ?? (chance.oneIn(3) ? this.#codes.serial : this.#codes.batch);
      const quantity = given.quantity ?? 1 + chance.below(6);
      const batchNo = chance.of(['B1', 'B1', 'B2', 'B3']) ?? 'B1';
      const serials = productCode.endsWith('-S')
        ? Array.from({ length: quantity }, () => {
            const unit = chance.oneIn(3)
              ? undefined
              : chance.of(sold.filter((each) => each.startsWith(batchNo)));
            return unit ?? `${batchNo}-${chance.oneIn(15) ? 1 : ++this.#units}`;
          })
        : [];
      const distinct = [...new Set(serials)];
      return {
        lineNo: i + 1,
        productCode,
        batchNo,
        ...(kind === 'return' && chance.oneIn(2) ? {} : { expiryDate: this.#expiryOf(productCode, batchNo) }),
        quantity: serials.length > 0 ? distinct.length : quantity,
        serials: distinct,
      };
    });
    const receiptNo = known?.receiptNo ?? this.world.next('R');
    const partner = kind === 'return' ? { customerCode: 'HOSP-1' } : { supplierCode: 'SUP-1' };
    const unmatched = kind === 'return' && chance.oneIn(4) ? { unmatched: { reason: 'model' } } : {};
    const body = { receiptNo, kind, ...partner, ...unmatched, warehouse: chance.of(WAREHOUSES), lines };
    const answer = await this.#send<{ receiptId: string }>('POST', '/v2/receipts', body, key, chance);
    if (answer.status !== 200) return null;
    const receipt = { receiptNo, receiptId: answer.data.receiptId, lines };
    this.#receipts.push(receipt);
    return receipt;
  }

  /** Serialized units that are with a customer, or were broken. */
  async #soldUnits(): Promise<string[]> {
    const rows = await this.world.db.sql<{ serial: string }>(
      'select serial_no as serial from serials where org_id = $1 and product_code = $2 and warehouse is null order by 1 limit 20',
      [this.org.organization.orgId, this.#codes.serial],
    );
    return rows.map((row) => row.serial);
  }

  async #correct(chance: Chance, key: string): Promise<string> {
    const productCode = chance.oneIn(3) ? this.#codes.serial : this.#codes.batch;
    const batchNo = chance.of(['B1', 'B1', 'B2', 'B3']) ?? 'B1';
    const expiryDate = this.#daysFromNow(chance.of([-3, 30, 400, 500, 900, 1_000]) ?? 900);
    const path = `/v2/stock/batches/${productCode}/${batchNo}/corrections`;
    const answer = await this.#send('POST', path, { expiryDate, reason: 'model' }, key, chance);
    if (answer.status === 200) this.#expiry.set(`${productCode}/${batchNo}`, expiryDate);
    return statusOf(answer);
  }

  async #accept(chance: Chance, key: string): Promise<string> {
    const receipt = chance.of(this.#receipts.slice(-4));
    if (!receipt) return 'none';
    const accepted = receipt.lines.map((line) =>
      chance.oneIn(5) ? chance.below(line.quantity + 1) : line.quantity,
    );
    return this.#judge(key, receipt, accepted, chance);
  }

  async #judge(key: string, receipt: Receipt, accepted: number[], chance?: Chance): Promise<string> {
    const lines = receipt.lines.map(({ lineNo, quantity, serials }, i) => ({
      lineNo,
      acceptedQuantity: accepted[i] ?? 0,
      rejectedQuantity: quantity - (accepted[i] ?? 0),
      ...(quantity === accepted[i] ? {} : { rejectReason: 'model' }),
      ...(serials.length > 0 ? { acceptedSerials: serials.slice(0, accepted[i]) } : {}),
    }));
    const path = `/v2/receipts/${receipt.receiptId}/acceptance`;
    return statusOf(await this.#send('POST', path, { lines }, key, chance));
  }

  async #sync(verb: 'order' | 'update' | 'cancelBySync', chance: Chance, key: string): Promise<string> {
    const known = verb === 'order' ? undefined : fitting(this.#orders, verb, chance);
    if (verb === 'cancelBySync') {
      if (!known) return 'none';
      const { orderNo, customerCode } = known.body;
      const body = { orderNo, customerCode, cancel: true };
      return statusOf(await this.#send('POST', '/v2/orders', body, key, chance));
    }
    const lines = Array.from({ length: 1 + chance.below(3) }, () => ({
      productCode: chance.oneIn(3) ? this.#codes.serial : this.#codes.batch,
      quantity: 1 + chance.below(4),
      ...(chance.oneIn(6) ? { batchNo: chance.of(['B1', 'B2', 'B3']) ?? null } : {}),
      ...(chance.oneIn(6) ? { minRemainingShelfLifeDays: 30 } : {}),
    }));
    const fresh = this.world.orderBody(...lines);
    const body = { ...fresh, orderNo: known?.body.orderNo ?? fresh.orderNo };
    const answer = await this.#send<OrderView>('POST', '/v2/orders', body, key, chance);
    if (answer.status === 200 && !known)
      this.#orders.push({ orderId: answer.data.orderId, status: answer.data.status, body });
    return answer.status === 200 ? answer.data.result : statusOf(answer);
  }

  async #open(chance: Chance, key: string): Promise<string> {
    const order = fitting(this.#orders, 'dispatch', chance);
    if (!order) return 'none';
    const line = chance.of(order.body.lines);
    const part =
      line && chance.oneIn(2) ? { lines: [{ lineNo: line.lineNo, quantity: 1 + chance.below(3) }] } : {};
    const body = { orderId: order.orderId, ...part };
    const answer = await this.#send<DispatchView>('POST', '/v2/dispatches', body, key, chance);
    if (answer.status === 200) this.#dispatches.push({ ...answer.data, orderId: order.orderId });
    return statusOf(answer);
  }

  async #pick(chance: Chance, key: string): Promise<string> {
    const dispatch = fitting(this.#dispatches, 'pick', chance);
    if (!dispatch) return 'none';
    const { dispatchId } = dispatch;
    const read = await this.#send<DispatchView>('GET', `/v2/dispatches/${dispatchId}`, undefined, key);
    const picks = [];
    const used: string[] = [];
    for (const line of read.data.lines) {
      const other = chance.oneIn(4) || line.toPick.length === 0;
      const parts = other
        ? [{ batchNo: chance.of(['B1', 'B2', 'B3']) ?? '', quantity: line.quantity }]
        : line.toPick;
      for (const { batchNo, quantity } of chance.oneIn(8) ? parts.slice(1) : parts) {
        const serials = line.productCode.endsWith('-S')
          ? await this.#someUnits(chance, line.productCode, batchNo, quantity, used)
          : [];
        if (!chance.oneIn(10)) used.push(...serials);
        picks.push({
          lineNo: line.lineNo,
          batchNo,
          quantity,
          serials,
          ...(other ? { reason: 'model' } : {}),
        });
      }
    }
    return this.#move(dispatch, 'picks', { picks }, key, chance);
  }

  async #someUnits(
    chance: Chance,
    code: string,
    batchNo: string,
    limit: number,
    besides: readonly string[] = [],
  ): Promise<string[]> {
    const rows = await this.world.db.sql<{ serial: string }>(
      `select serial_no as serial from serials where org_id = $1 and product_code = $2 and batch_no = $3
         and warehouse = 'WH-1' and serial_no <> all($6::text[]) order by md5(serial_no || $4) limit $5`,
      [this.org.organization.orgId, code, batchNo, String(chance.below(9)), limit, besides],
    );
    return rows.map((row) => row.serial);
  }

  async #onDispatch(verb: 'recheck' | 'deliver' | 'cancelDispatch', chance: Chance, key: string) {
    const dispatch = fitting(this.#dispatches, verb, chance);
    if (!dispatch) return 'none';
    if (verb === 'cancelDispatch') return this.#move(dispatch, 'cancel', {}, key, chance);
    if (verb === 'deliver') {
      const body = { receivedBy: 'ward', receivedAt: this.world.db.clock.now().toISOString() };
      return this.#move(dispatch, 'delivery', body, key, chance);
    }
    const body = chance.oneIn(6) ? { result: 'fail', reason: 'model' } : { result: 'pass' };
    const outcome = await this.#move(dispatch, 'recheck', body, key, chance);
    const order = this.#orders.find((each) => each.orderId === dispatch.orderId);
    if (order && outcome === 'ok') {
      const read = await this.#send<OrderView>('GET', `/v2/orders/${order.orderId}`, undefined, key);
      order.status = read.data.status;
    }
    return outcome === 'ok' ? body.result : outcome;
  }

  async #move(dispatch: KnownDispatch, action: string, body: object, key: string, chance: Chance) {
    const path = `/v2/dispatches/${dispatch.dispatchId}/${action}`;
    const answer = await this.#send<DispatchView>('POST', path, body, key, chance);
    if (answer.status === 200) dispatch.status = answer.data.status;
    return statusOf(answer);
  }

  /** Moves goods under a hold to and fro, as much as the hold covers or some of it. */
  async #moveHeld(chance: Chance, key: string): Promise<string> {
    const { items } = (
      await this.#send<{ items: HeldGoods[] }>(
        'GET',
        '/v2/stock/holds?status=active&limit=200',
        undefined,
        key,
      )
    ).data;
    const hold = chance.of(
      items.filter(({ productCode }) => Object.values(this.#codes).includes(productCode)),
    );
    if (!hold) return 'none';
    const { holdId, productCode, batchNo } = hold;
    const units = productCode.endsWith('-S')
      ? hold.extent === 'batch'
        ? await this.#someUnits(chance, productCode, batchNo, 2)
        : hold.serials.slice(0, 1 + chance.below(2))
      : undefined;
    const from = hold.warehouse ?? 'WH-1';
    const to = from === 'WH-1' ? 'WH-2' : 'WH-1';
    const quantity = units?.length || (chance.oneIn(2) && hold.quantity) || 1 + chance.below(3);
    const body = { productCode, batchNo, from, to, quantity, holdId, ...(units ? { serials: units } : {}) };
    const answer = await this.#send<{ newHoldId: string | null }>(
      'POST',
      '/v2/stock/transfers',
      body,
      key,
      chance,
    );
    if (answer.status === 200 && answer.data.newHoldId !== null) this.#holds.push(answer.data.newHoldId);
    return statusOf(answer);
  }

  async #onStock(verb: 'stockHold' | 'stockRelease' | 'adjust' | 'transfer', chance: Chance, key: string) {
    if (verb === 'stockRelease') {
      const holdId = chance.of(this.#holds);
      if (holdId === undefined) return 'none';
      const path = `/v2/stock/holds/${holdId}/release`;
      return statusOf(
        await this.#send('POST', path, chance.oneIn(3) ? {} : { reason: 'model' }, key, chance),
      );
    }
    const productCode = chance.oneIn(3) ? this.#codes.serial : this.#codes.batch;
    const batchNo = chance.of(['B1', 'B1', 'B2', 'B3']) ?? 'B1';
    const quantity = 1 + chance.below(4);
    const units = productCode.endsWith('-S')
      ? await this.#someUnits(chance, productCode, batchNo, quantity)
      : undefined;
    const n = units?.length ?? quantity;
    if (n === 0) return 'none';
    const what = { productCode, batchNo, reason: 'model' };
    const serials = units ? { serials: units } : {};
    if (verb === 'stockHold') {
      const extent = chance.oneIn(4) ? {} : units ? serials : { quantity };
      const where = chance.oneIn(3) ? {} : { warehouse: 'WH-1' };
      const category = chance.of(['logistics', 'quality', undefined]);
      const body = { ...what, ...extent, ...where, ...(category ? { category } : {}) };
      const answer = await this.#send<{ holdId: string }>('POST', '/v2/stock/holds', body, key, chance);
      if (answer.status === 200) this.#holds.push(answer.data.holdId);
      return statusOf(answer);
    }
    if (verb === 'transfer') {
      const body = { ...what, ...serials, from: 'WH-1', to: 'WH-2', quantity: n };
      return statusOf(await this.#send('POST', '/v2/stock/transfers', body, key, chance));
    }
    const body = { ...what, ...serials, warehouse: 'WH-1', quantityDelta: -n };
    return statusOf(await this.#send('POST', '/v2/stock/adjustments', body, key, chance));
  }
}
