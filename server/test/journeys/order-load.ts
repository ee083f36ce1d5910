import { randomUUID } from 'node:crypto';
import type { Answer } from '../harness/index.js';

interface Dispatch {
  dispatchId: string;
  lines: { lineNo: number; toPick: { batchNo: string; quantity: number }[] }[];
}
interface Order {
  orderId: string;
  status: string;
}

/** The client's knowledge of one order that it sent. */
export interface SentOrder {
  orderNo: string;
  quantity: number;
  orderId: string | null;
  /** Every status that was acknowledged, in this order. */
  statuses: string[];
  dispatchIds: string[];
}

/** How a request gets to the service, and how one waits for the service after an outcome became unknown. */
export interface Wire {
  /** Null: the outcome is unknown. */
  post(path: string, body: object, key: string, idempotencyKey: string): Promise<Answer | null>;
  /** Resolves when the service responds again, with whether the request with this key had been done. */
  recovered(idempotencyKey: string): Promise<boolean>;
}

interface Staff {
  picker: string;
  checker: string;
}

const FATES = ['delivered', 'delivered', 'delivered', 'dispatched', 'approved', 'cancelled', 'rejected'];

/** Callers that take orders through their lives and never give up on a request. The log is kept here, outside. */
export class OrderLoad {
  readonly sent: SentOrder[] = [];
  readonly failures: unknown[] = [];
  acknowledged = 0;
  unknownDone = 0;
  unknownNotDone = 0;
  #stopping = false;
  #clients: Promise<void>[] = [];

  constructor(
    private readonly wire: Wire,
    private readonly staff: readonly Staff[],
    private readonly random: (below: number) => number,
  ) {}

  get unknown(): number {
    return this.unknownDone + this.unknownNotDone;
  }

  begin(clients: number): this {
    this.#clients = Array.from({ length: clients }, (_, i) =>
      this.#client(i).catch((error: unknown) => {
        this.failures.push(error);
      }),
    );
    return this;
  }

  async finish(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#clients);
  }

  async #client(number: number): Promise<void> {
    const staff = this.staff[number % this.staff.length];
    if (!staff) throw new Error('nobody is there to work');
    for (let n = 0; !this.#stopping; n++) {
      const quantity = 1 + this.random(5);
      const order = { orderNo: `C${number}-${n}`, quantity, orderId: null, statuses: [], dispatchIds: [] };
      this.sent.push(order);
      await this.#live(order, FATES[this.random(FATES.length)] ?? '', staff);
    }
  }

  async #live(order: SentOrder, fate: string, { picker, checker }: Staff): Promise<void> {
    const lines = [{ lineNo: 1, productCode: 'CRASH-1', quantity: order.quantity, unitPrice: '9.50' }];
    const content = { customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR', lines };
    const body = { orderNo: order.orderNo, ...content };
    const { orderId, status } = await this.#must<Order>('/v2/orders', body, picker);
    order.orderId = orderId;
    order.statuses.push(status);
    const step = async (action: string, part: object = {}) => {
      if (this.#stopping) return false;
      const path = `/v2/orders/${orderId}/${action}`;
      order.statuses.push((await this.#must<Order>(path, part, picker)).status);
      return true;
    };
    if (fate === 'rejected') {
      await step('reject', { reason: 'not sold any more' });
      return;
    }
    if (!(await step('approve')) || fate === 'approved') return;
    if (fate === 'cancelled') await step('cancel');
    else await this.#ship(order, orderId, fate, { picker, checker });
  }

  async #ship(order: SentOrder, orderId: string, fate: string, { picker, checker }: Staff): Promise<void> {
    if (this.#stopping) return;
    const { dispatchId, lines } = await this.#must<Dispatch>('/v2/dispatches', { orderId }, picker);
    order.dispatchIds.push(dispatchId);
    const picks = lines.flatMap(({ lineNo, toPick }) => toPick.map((each) => ({ lineNo, ...each })));
    const path = `/v2/dispatches/${dispatchId}`;
    await this.#must(`${path}/picks`, { picks }, picker);
    const left = await this.#must<{ dispatchedAt: string }>(`${path}/recheck`, { result: 'pass' }, checker);
    order.statuses.push('dispatched');
    if (fate === 'dispatched' || this.#stopping) return;
    const received = { receivedBy: 'Ward 3', receivedAt: left.dispatchedAt };
    await this.#must(`${path}/delivery`, received, picker);
    order.statuses.push('delivered');
  }

  /** Repeats a request with one Idempotency-Key until there is a response, which must be a success. */
  async #must<D>(path: string, body: object, key: string): Promise<D> {
    const idempotencyKey = randomUUID();
    for (let first = true; ; first = false) {
      const answer = await this.wire.post(path, body, key, idempotencyKey);
      if (answer?.status === 200) {
        this.acknowledged++;
        return answer.data as D;
      }
      if (answer) throw new Error(`POST ${path}: ${answer.text}`);
      const done = await this.wire.recovered(idempotencyKey);
      if (!first) continue;
      if (done) this.unknownDone++;
      else this.unknownNotDone++;
    }
  }
}
