import { expect } from 'vitest';
import { verifyStock } from '../../src/stock/index.js';
import type { InventoryRecord } from '../../src/stock/inventory.rules.js';
import { openTestService } from './api.js';

interface HoldAnswer {
  holdId: string;
  status: string;
  category: string;
  extent: string;
  warehouse: string | null;
  quantity: number | null;
  serials: string[];
  ncId: string | null;
  splitFrom: string | null;
}

export interface EntryAnswer {
  ncId: string;
  source: { kind: string; id: string | null; no: string | null; line: number | null };
  batchNo: string;
  serials: string[];
  quantity: number;
  openQuantity: number;
  executedQuantity: number;
  releasedQuantity: number;
  adjustedQuantity: number;
  status: string;
  holdIds: string[];
  dispositionIds: string[];
  closedAt: string | null;
  [field: string]: unknown;
}

export interface DispositionAnswer {
  dispositionId: string;
  dispositionNo: string;
  status: string;
  supplierCode: string | null;
  lines: {
    holdId: string | null;
    ncId: string | null;
    warehouse: string;
    batchNo: string;
    quantity: number;
    serials: string[];
  }[];
  [field: string]: unknown;
}

type Must = <D = unknown>(path: string, body?: object, key?: string, method?: string) => Promise<D>;
type Read = <D>(path: string) => Promise<D>;

/** Receives goods of batch B1 from SUP-1, and rejects some of them. */
function receiver(must: Must, productCode: string, tracking: 'batch' | 'serial') {
  let receipts = 0;
  let units = 0;
  return async (warehouse: string, quantity: number, rejected = 0, extra: object = {}) => {
    const serials =
      tracking === 'serial' ? { serials: Array.from({ length: quantity }, () => `S${++units}`) } : {};
    const { receiptId } = await must<{ receiptId: string }>('/v2/receipts', {
      receiptNo: `${productCode}-R${++receipts}`,
      supplierCode: 'SUP-1',
      warehouse,
      lines: [
        { lineNo: 1, productCode, batchNo: 'B1', expiryDate: '2030-01-01', quantity, ...serials, ...extra },
      ],
    });
    const accepted = quantity - rejected;
    const acceptedSerials = (serials.serials ?? []).slice(0, accepted);
    await must(`/v2/receipts/${receiptId}/acceptance`, {
      lines: [
        {
          lineNo: 1,
          acceptedQuantity: accepted,
          rejectedQuantity: rejected,
          ...(rejected > 0 ? { rejectReason: 'damaged' } : {}),
          ...(acceptedSerials.length > 0 && rejected > 0 ? { acceptedSerials } : {}),
        },
      ],
    });
    return receiptId;
  };
}

/** Reads and changes the stock of one product. */
function goodsOf(must: Must, read: Read, productCode: string, receive: ReturnType<typeof receiver>) {
  return {
    productCode,
    receive,
    hold: (extra: object = {}) =>
      must<HoldAnswer>('/v2/stock/holds', {
        productCode,
        batchNo: 'B1',
        category: 'quality',
        reason: 'seal broken',
        ...extra,
      }),
    /** [total, available, blocked] */
    async quantities(warehouse?: string) {
      const where = warehouse === undefined ? '' : `&warehouse=${warehouse}`;
      const data = await read<InventoryRecord>(`/v2/inventory?productCode=${productCode}${where}`);
      return [data.totalQuantity, data.availableQuantity, data.blockedQuantity];
    },
    holds: async () =>
      (await read<{ items: HoldAnswer[] }>(`/v2/stock/holds?productCode=${productCode}&status=active`)).items,
    entries: async () =>
      (await read<{ items: EntryAnswer[] }>(`/v2/quality/nonconformities?productCode=${productCode}`)).items,
    movements: async () =>
      (
        await read<{
          items: { kind: string; quantityDelta: number; document: { type: string; id: string } }[];
        }>(`/v2/stock/movements?productCode=${productCode}`)
      ).items,
  };
}

/** A service with an organization, a second person of quality, and products of their own for each test. */
export async function openQualityWorld() {
  const service = await openTestService();
  const second = (await service.org.newKey({ owner: 'second@quality.example' })).apiKey;
  const call = <D = unknown>(method: string, path: string, body?: object, key?: string) =>
    service.call<D>(method, path, body, key);
  async function must<D = unknown>(
    path: string,
    body: object = {},
    key?: string,
    method = 'POST',
  ): Promise<D> {
    const answer = await call<D>(method, path, body, key);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.data;
  }
  const read = async <D>(path: string): Promise<D> => {
    const answer = await call<D>('GET', path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.data;
  };

  let made = 0;
  /** A product with batch B1: `inFirst` units in WH-1 and `inSecond` in WH-2, received from SUP-1. */
  async function stocked(
    tracking: 'batch' | 'serial',
    inFirst: number,
    inSecond = 0,
    productCode = `Q-${++made}`,
  ) {
    await must(
      `/v2/products/${productCode}`,
      { productName: `Pump ${productCode}`, tracking },
      undefined,
      'PUT',
    );
    const receive = receiver(must, productCode, tracking);
    if (inFirst > 0) await receive('WH-1', inFirst);
    if (inSecond > 0) await receive('WH-2', inSecond);
    return goodsOf(must, read, productCode, receive);
  }
  const propose = (body: object, key?: string) =>
    call<DispositionAnswer>(
      'POST',
      '/v2/quality/dispositions',
      { kind: 'destroy', reason: 'unsafe', ...body },
      key,
    );
  const step = (dispositionId: string, action: string, body: object = {}, key?: string) =>
    call<DispositionAnswer>('POST', `/v2/quality/dispositions/${dispositionId}/${action}`, body, key);
  /** Proposes, approves by the second person and executes. */
  async function dispose(body: object, execution: object = { witness: 'witness@quality.example' }) {
    const proposed = await propose(body);
    if (proposed.status !== 200) throw new Error(proposed.text);
    const { dispositionId } = proposed.data;
    const approved = await step(dispositionId, 'approve', {}, second);
    if (approved.status !== 200) throw new Error(approved.text);
    return step(dispositionId, 'execute', execution);
  }
  const verified = async () =>
    expect(await verifyStock(service.db.database, service.org.organization.orgId)).toMatchObject({
      ok: true,
    });
  return {
    service,
    second,
    call,
    must,
    read,
    stocked,
    propose,
    step,
    dispose,
    verified,
    close: () => service.close(),
  };
}
