import { expect, it } from 'vitest';
import { verifyAudit } from '../../src/audit/index.js';
import { verifyStock } from '../../src/stock/index.js';
import { sized } from '../harness/index.js';
import { counts, openRecallWorld, type RecallAnswer } from '../harness/recall-world.js';
import { Chance } from './chance.js';

/** Sequences of random steps of quality among those of the warehouse; each is one product's life. */
const SEQUENCES = sized(8, 2_000);
const STEPS = 24;
const AT_ONCE = 4;
/** Enough of one organization: abandoned dispatches stay open in it. */
const SEQUENCES_PER_WORLD = 50;
/** A run in which one of them never got through would prove little. */
const STEPS_SEEN = [
  'receive',
  'hold',
  'register',
  'release',
  'propose',
  'decide',
  'adjust',
  'ship',
  'recall',
];

let world: Awaited<ReturnType<typeof openRecallWorld>>;

interface Listed<T> {
  items: T[];
}
const list = async <T>(path: string): Promise<T[]> => (await world.call<Listed<T>>('GET', path)).data.items;

/** A step may be refused, but only for a reason that a caller can act on. */
async function attempt(method: string, path: string, body: object, key?: string) {
  const answer = await world.call<Record<string, never>>(method, path, body, key);
  expect([200, 400], `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`).toContain(answer.status);
  return answer;
}

class Life {
  readonly chance: Chance;
  readonly productCode: string;
  readonly tracking: 'batch' | 'serial';
  readonly done = new Map<string, number>();
  #units = 0;
  #documents = 0;
  #recallId: string | null = null;

  constructor(seed: number, productCode: string, tracking: 'batch' | 'serial') {
    this.chance = new Chance(seed);
    this.productCode = productCode;
    this.tracking = tracking;
  }

  get #warehouse(): string {
    return this.chance.oneIn(3) ? 'WH-2' : 'WH-1';
  }
  get #batchNo(): string {
    return this.chance.oneIn(3) ? 'B2' : 'B1';
  }
  #newUnits(quantity: number): { serials?: string[] } {
    if (this.tracking === 'batch') return {};
    return { serials: Array.from({ length: quantity }, () => `U${++this.#units}`) };
  }
  async #unitsIn(batchNo: string, warehouse: string): Promise<string[]> {
    if (this.tracking === 'batch') return [];
    const rows = await world.db.sql<{ no: string }>(
      `select serial_no as no from serials where product_code = $1 and batch_no = $2 and warehouse = $3 order by 1`,
      [this.productCode, batchNo, warehouse],
    );
    return rows.map(({ no }) => no);
  }

  async receive(): Promise<boolean> {
    const quantity = 2 + this.chance.below(6);
    const rejected = this.chance.oneIn(2) ? this.chance.below(quantity) : 0;
    const { serials } = this.#newUnits(quantity);
    const { data } = await attempt('POST', '/v2/receipts', {
      receiptNo: `${this.productCode}-${++this.#documents}`,
      supplierCode: 'SUP-1',
      warehouse: this.#warehouse,
      lines: [
        {
          ...{ lineNo: 1, productCode: this.productCode, batchNo: this.#batchNo, quantity },
          ...{ expiryDate: '2031-01-01', ...(serials ? { serials } : {}) },
        },
      ],
    });
    const acceptedQuantity = quantity - rejected;
    const acceptedSerials =
      serials && rejected > 0 ? { acceptedSerials: serials.slice(0, acceptedQuantity) } : {};
    const verdict = { lineNo: 1, acceptedQuantity, rejectedQuantity: rejected, rejectReason: 'damaged' };
    const accepted = await attempt('POST', `/v2/receipts/${data.receiptId}/acceptance`, {
      lines: [{ ...verdict, ...acceptedSerials }],
    });
    return accepted.status === 200;
  }

  async hold(): Promise<boolean> {
    const [batchNo, warehouse] = [this.#batchNo, this.#warehouse];
    const units = await this.#unitsIn(batchNo, warehouse);
    const some =
      this.tracking === 'serial' ? { serials: units.slice(0, 2) } : { quantity: 1 + this.chance.below(3) };
    const extent = this.chance.oneIn(3) ? {} : { warehouse, ...some };
    const category = this.chance.oneIn(2) ? 'quality' : 'logistics';
    const body = { productCode: this.productCode, batchNo, ...extent, category, reason: 'to be tested' };
    return (await attempt('POST', '/v2/stock/holds', body)).status === 200;
  }

  async register(): Promise<boolean> {
    const [batchNo, warehouse] = [this.#batchNo, this.#warehouse];
    const units = await this.#unitsIn(batchNo, warehouse);
    const goods = this.tracking === 'serial' ? { quantity: 1, serials: units.slice(-1) } : { quantity: 2 };
    const body = { productCode: this.productCode, batchNo, warehouse, ...goods, reason: 'wet' };
    return (await attempt('POST', '/v2/quality/nonconformities', body)).status === 200;
  }

  async release(): Promise<boolean> {
    const holds = await list<{ holdId: string }>(
      `/v2/stock/holds?productCode=${this.productCode}&status=active`,
    );
    const holdId = this.chance.of(holds)?.holdId ?? 'hld_none';
    const answer = await world.call('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'conforms' });
    return answer.status === 200;
  }

  async propose(): Promise<boolean> {
    const kind = this.chance.of(['release', 'destroy', 'return_to_supplier', 'rework']);
    const reason = 'decided';
    const ofRegister = this.chance.oneIn(2);
    const path = ofRegister
      ? `/v2/quality/nonconformities?productCode=${this.productCode}`
      : `/v2/stock/holds?productCode=${this.productCode}&status=active`;
    const item = this.chance.of(await list<{ ncId: string; holdId: string; serials: string[] }>(path));
    const name = ofRegister ? { ncId: item?.ncId ?? 'nc_none' } : { holdId: item?.holdId ?? 'hld_none' };
    const part =
      this.tracking === 'serial'
        ? item?.serials.length
          ? { serials: item.serials.slice(0, 1) }
          : {}
        : { quantity: 1 + this.chance.below(2), warehouse: this.#warehouse };
    const line = this.chance.oneIn(2) ? name : { ...name, ...part };
    const body = { kind, reason, lines: [line], supplierCode: 'SUP-1' };
    return (await attempt('POST', '/v2/quality/dispositions', body)).status === 200;
  }

  async decide(): Promise<boolean> {
    const open = await list<{ dispositionId: string; status: string }>(
      `/v2/quality/dispositions?productCode=${this.productCode}`,
    );
    const disposition = this.chance.of(
      open.filter(({ status }) => status === 'proposed' || status === 'approved'),
    );
    if (!disposition) return false;
    const { dispositionId, status } = disposition;
    const action = this.chance.oneIn(6) ? 'reject' : status === 'proposed' ? 'approve' : 'execute';
    const body = { approve: {}, reject: { reason: 'no' }, execute: { witness: 'Ann' } }[action] ?? {};
    const path = `/v2/quality/dispositions/${dispositionId}/${action}`;
    return (await attempt('POST', path, body, world.picker)).status === 200;
  }

  async adjust(): Promise<boolean> {
    const [batchNo, warehouse] = [this.#batchNo, this.#warehouse];
    const units = await this.#unitsIn(batchNo, warehouse);
    const body = { productCode: this.productCode, batchNo, warehouse, reason: 'lost', quantityDelta: -1 };
    const serials = this.tracking === 'serial' ? { serials: units.slice(0, 1) } : {};
    return (await attempt('POST', '/v2/stock/adjustments', { ...body, ...serials })).status === 200;
  }

  async moveHeld(): Promise<boolean> {
    const holds = await list<{
      holdId: string;
      batchNo: string;
      warehouse: string | null;
      serials: string[];
    }>(`/v2/stock/holds?productCode=${this.productCode}&status=active`);
    const hold = this.chance.of(holds);
    if (!hold) return false;
    const from = hold.warehouse ?? this.#warehouse;
    const units = this.tracking === 'serial' ? (await this.#unitsIn(hold.batchNo, from)).slice(0, 1) : [];
    const { status } = await attempt('POST', '/v2/stock/transfers', {
      ...{
        productCode: this.productCode,
        batchNo: hold.batchNo,
        from,
        to: from === 'WH-1' ? 'WH-2' : 'WH-1',
      },
      ...{ quantity: 1, holdId: hold.holdId, ...(units.length > 0 ? { serials: units } : {}) },
    });
    return status === 200;
  }

  async ship(): Promise<boolean> {
    const batchNo = this.#batchNo;
    const orderNo = `${this.productCode}-SO-${++this.#documents}`;
    const customerCode = this.chance.oneIn(2) ? 'HOSP-1' : 'HOSP-2';
    const line = { lineNo: 1, productCode: this.productCode, batchNo, quantity: 1, unitPrice: '1' };
    const sale = { orderNo, customerCode, warehouse: 'WH-1', currency: 'EUR', lines: [line] };
    const { data: order } = await attempt('POST', '/v2/orders', sale);
    if ((await attempt('POST', `/v2/orders/${order.orderId}/approve`, {})).status !== 200) return false;
    const { data: dispatch } = await attempt('POST', '/v2/dispatches', { orderId: order.orderId });
    const units = (await this.#unitsIn(batchNo, 'WH-1')).reverse();
    const serials = this.tracking === 'serial' ? { serials: units.slice(0, 1) } : {};
    const picks = [{ lineNo: 1, batchNo, quantity: 1, ...serials }];
    const picked = await attempt(
      'POST',
      `/v2/dispatches/${dispatch.dispatchId}/picks`,
      { picks },
      world.picker,
    );
    if (picked.status !== 200) return false;
    const recheck = `/v2/dispatches/${dispatch.dispatchId}/recheck`;
    return (await attempt('POST', recheck, { result: 'pass' })).status === 200;
  }

  async recall(): Promise<boolean> {
    if (this.#recallId !== null) return this.settle();
    const recallNo = `RC-${this.productCode}`;
    const body = { recallNo, productCode: this.productCode, class: 'II', reason: 'cracks' };
    const extent = this.chance.oneIn(2) ? {} : { batchNos: ['B1'] };
    const answer = await attempt('POST', '/v2/recalls', { ...body, ...extent });
    if (answer.status === 200) this.#recallId = answer.data.recallId ?? null;
    return answer.status === 200;
  }

  async settle(): Promise<boolean> {
    const path = `/v2/recalls/${this.#recallId}`;
    const { data } = await world.call<RecallAnswer>('GET', path);
    const waiting = data.consignees.find((consignee) => consignee.answer === null);
    if (!waiting) return (await attempt('POST', `${path}/close`, { reason: 'settled' })).status === 200;
    const used = this.chance.below(waiting.quantity + 1);
    const given = counts({ used, onHand: waiting.quantity - used });
    const answered = `${path}/consignees/${waiting.customerCode}/answer`;
    return (await attempt('POST', answered, given)).status === 200;
  }

  async run(): Promise<void> {
    const steps = ['hold', 'register', 'release', 'propose', 'decide', 'adjust', 'moveHeld', 'ship'] as const;
    await this.receive();
    for (let n = 0; n < STEPS; n++) {
      // Decisions are taken in several steps, so they come more often.
      const step = this.chance.oneIn(8)
        ? 'receive'
        : this.chance.oneIn(8)
          ? 'recall'
          : this.chance.oneIn(3)
            ? this.chance.oneIn(3)
              ? 'propose'
              : 'decide'
            : (this.chance.of(steps) ?? 'hold');
      if (await this[step]()) this.done.set(step, (this.done.get(step) ?? 0) + 1);
    }
  }
}

interface Sums {
  inStock: number;
  arrived: number;
  disposed: number;
  adjusted: number;
  outside: number;
}

/** Every way in and out of stock that the ledger knows, by its kind. */
async function sumsOf(productCode: string): Promise<Sums> {
  const [row] = await world.db.sql<Sums>(
    `select b."inStock", m.* from
       (select coalesce(sum(quantity), 0)::integer as "inStock" from balances where product_code = $1) b,
       (select coalesce(sum(quantity_delta) filter (where kind = 'receipt'), 0)::integer as arrived,
          -coalesce(sum(quantity_delta) filter (where kind in ('destruction', 'supplier_return')), 0)::integer as disposed,
          -coalesce(sum(quantity_delta) filter (where kind = 'adjustment'), 0)::integer as adjusted,
          -coalesce(sum(quantity_delta) filter (where kind in ('dispatch', 'return')), 0)::integer as outside
        from movements where product_code = $1) m`,
    [productCode],
  );
  if (!row) throw new Error('a sum without a row');
  return row;
}

/** Entries whose counts disagree with the holds of their goods, and dispositions that disagree with the ledger. */
const disagreements = (productCode: string) =>
  world.db.sql(
    `select n.nc_id as id, n.quantity - n.executed_quantity - n.released_quantity - n.adjusted_quantity as expected,
       coalesce(h.held, 0)::integer as found
     from nonconformities n left join
       (select org_id, nc_id, sum(quantity) as held from holds where released_at is null group by 1, 2) h
       on h.org_id = n.org_id and h.nc_id = n.nc_id
     where n.product_code = $1
       and coalesce(h.held, 0) <> case when n.in_stock
         then n.quantity - n.executed_quantity - n.released_quantity - n.adjusted_quantity else 0 end
     union all
     select d.disposition_id, coalesce(l.quantity, 0)::integer, coalesce(m.quantity, 0)::integer
     from dispositions d
     left join (select org_id, disposition_id, sum(quantity) as quantity from disposition_lines
       where hold_id is not null group by 1, 2) l on l.org_id = d.org_id and l.disposition_id = d.disposition_id
     left join (select org_id, document_id, sum(quantity) as quantity from movements
       where document_type = 'disposition' group by 1, 2) m on m.org_id = d.org_id and m.document_id = d.disposition_id
     where exists (select from disposition_lines x
         where x.org_id = d.org_id and x.disposition_id = d.disposition_id and x.product_code = $1)
       and coalesce(m.quantity, 0) <> case d.status when 'executed' then coalesce(l.quantity, 0) else 0 end`,
    [productCode],
  );

/** Units that quality held and that left without a decision of quality: each must be released, disposed of or adjusted out. */
const unaccounted = (productCode: string) =>
  world.db.sql(
    `select m.movement_id as id from movements m
     where m.product_code = $1 and m.kind in ('destruction', 'supplier_return')
       and not exists (select from dispositions d where d.org_id = m.org_id and d.disposition_id = m.document_id
         and d.status = 'executed' and d.approved_by <> d.proposed_by)`,
    [productCode],
  );

async function expectAccounted(productCode: string, sequence: string): Promise<void> {
  expect(await disagreements(productCode), sequence).toEqual([]);
  expect(await unaccounted(productCode), sequence).toEqual([]);
  const { inStock, arrived, disposed, adjusted, outside } = await sumsOf(productCode);
  expect(arrived, sequence).toBe(inStock + disposed + adjusted + outside);
  for (const { recallId } of await list<RecallAnswer>(`/v2/recalls?productCode=${productCode}`)) {
    const { data } = await world.call<Record<string, number>>('GET', `/v2/recalls/${recallId}/effectiveness`);
    const { onHand = 0, used = 0, returned = 0, destroyed = 0, notFound = 0, notAnswered = 0 } = data;
    expect(onHand + used + returned + destroyed + notFound + notAnswered, sequence).toBe(data.delivered);
  }
}

/** Sequences `from` to `to`, and what the organization they were in is like then. */
async function liveThrough(from: number, to: number, done: Map<string, number>): Promise<void> {
  let next = from;
  const liveOneByOne = async () => {
    while (next < to) {
      const n = next++;
      const tracking = n % 3 === 0 ? 'serial' : 'batch';
      const life = new Life(n + 1, await world.newProduct(tracking), tracking);
      await life.run();
      await expectAccounted(life.productCode, `sequence ${n + 1}`);
      for (const [step, count] of life.done) done.set(step, (done.get(step) ?? 0) + count);
    }
  };
  // Each has a product of its own, so several go on at once.
  await Promise.all(Array.from({ length: AT_ONCE }, liveOneByOne));
  const { orgId } = world.org.organization;
  expect(await verifyStock(world.db.database, orgId)).toMatchObject({ ok: true });
  expect(await verifyAudit(world.db.database, orgId)).toMatchObject({ ok: true });
}

it('in any sequence of steps, stock adds up, and register, dispositions and ledger agree', {
  timeout: sized(240_000, 3_600_000),
}, async () => {
  const done = new Map<string, number>();
  for (let from = 0; from < SEQUENCES; from += SEQUENCES_PER_WORLD) {
    world = await openRecallWorld();
    try {
      await liveThrough(from, Math.min(from + SEQUENCES_PER_WORLD, SEQUENCES), done);
    } finally {
      await world.close();
    }
  }
  for (const step of STEPS_SEEN) expect(done.get(step) ?? 0, step).toBeGreaterThan(0);
  console.log(`quality: ${SEQUENCES} sequences, ${JSON.stringify(Object.fromEntries(done))}`);
});
