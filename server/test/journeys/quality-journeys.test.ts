import { readCsv } from '@lotward/client/csv';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { verifyStock } from '../../src/stock/index.js';
import { GTIN } from '../harness/index.js';
import type { DispositionAnswer, EntryAnswer } from '../harness/quality-world.js';
import { counts, openRecallWorld, type RecallAnswer } from '../harness/recall-world.js';

type World = Awaited<ReturnType<typeof openRecallWorld>>;

let world: World;
beforeAll(async () => {
  world = await openRecallWorld();
});
afterEach(async () => {
  expect(await verifyStock(world.db.database, world.org.organization.orgId)).toMatchObject({ ok: true });
});
afterAll(() => world.close());

const read = async <D>(path: string, key?: string): Promise<D> => {
  const answer = await world.call<D>('GET', path, undefined, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
};

/** The rows of a CSV file by the names of its columns. */
async function list(path: string): Promise<Record<string, string>[]> {
  const { text } = await world.call('GET', path);
  const [names, ...rows] = readCsv(text).map(({ cells }) => cells);
  return rows.map((row) => Object.fromEntries((names ?? []).map((name, i) => [name, row[i] ?? ''])));
}

/** Each field of the row says what is stored, as text; a list with semicolons, and nothing for null. */
function expectRow(row: Record<string, string> | undefined, stored: object): void {
  const text = (value: unknown) => (Array.isArray(value) ? value.join('; ') : String(value ?? ''));
  expect(row).toMatchObject(
    Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, text(value)])),
  );
}

/** Proposed by one person, approved and executed by another. */
async function dispose(body: object, execution: object): Promise<DispositionAnswer> {
  const path = '/v2/quality/dispositions';
  const { dispositionId } = await world.must<DispositionAnswer>(path, body);
  await world.must(`${path}/${dispositionId}/approve`, {}, 'POST', world.picker);
  return world.must(`${path}/${dispositionId}/execute`, execution, 'POST', world.picker);
}

const movementsOf = async (productCode: string) =>
  (
    await read<{ items: { kind: string; quantityDelta: number; document: { id: string | null } }[] }>(
      `/v2/stock/movements?productCode=${productCode}`,
    )
  ).items;

const auditOf = async (entityId: string) =>
  (await read<{ items: { action: string; actor: string }[] }>(`/v2/audit?entityId=${entityId}`)).items.map(
    ({ action, actor }) => [action, actor],
  );

/** The register and the dispositions as CSV say what is stored, field by field; the audit trail names both people. */
async function expectDocuments(product: string, decided: readonly DispositionAnswer[]): Promise<void> {
  const { items: entries } = await read<{ items: EntryAnswer[] }>(
    `/v2/quality/nonconformities?productCode=${product}`,
  );
  expect(entries).toHaveLength(2);
  const register = await list(`/exports/quality/nonconformities.csv?productCode=${product}`);
  expect(register).toHaveLength(2);
  for (const each of entries) {
    expect(each).toMatchObject({ status: 'closed', openQuantity: 0, executedQuantity: each.quantity });
    const { source, warehouse, supplierCode, reason, createdAt, createdBy, closedAt, dispositionIds } = each;
    expectRow(
      register.find((row) => row.ncId === each.ncId),
      {
        ...{ warehouse, supplierCode, reason, createdAt, createdBy, closedAt, dispositionIds },
        ...{ source: source.kind, sourceNo: source.no, productCode: product, productName: 'Valve' },
        ...{ batchNo: 'B1', expiryDate: '2030-01-01', serials: [], quantity: each.quantity },
        ...{ customerCode: null, status: 'closed', executedQuantity: each.quantity },
        ...{ releasedQuantity: 0, adjustedQuantity: 0 },
      },
    );
  }
  const rows = (await list('/exports/quality/dispositions.csv')).filter((row) => row.productCode === product);
  expect(rows).toHaveLength(4);
  for (const disposition of decided) {
    const { lines, supplierName: _, version: __, rejectReason: ___, updatedAt: ____, ...facts } = disposition;
    for (const each of lines)
      expectRow(
        rows.find((row) => row.dispositionId === disposition.dispositionId && row.ncId === each.ncId),
        { ...facts, ...each },
      );
    const [proposer, approver] = [disposition.proposedBy, disposition.approvedBy];
    expect(proposer).not.toBe(approver);
    expect((await auditOf(disposition.dispositionId)).sort()).toEqual([
      ['disposition.approve', approver],
      ['disposition.execute', approver],
      ['disposition.propose', proposer],
    ]);
  }
}

describe('from a rejected line of a receipt', () => {
  it('one part is destroyed and one returned, and every document says so', async () => {
    const product = GTIN;
    await world.must(`/v2/products/${product}`, { productName: 'Valve', tracking: 'batch' }, 'PUT');
    const line = { lineNo: 1, productCode: product, batchNo: 'B1', expiryDate: '2030-01-01', quantity: 10 };
    const { receiptId } = await world.must<{ receiptId: string }>('/v2/receipts', {
      ...{ receiptNo: 'PO-1', supplierCode: 'SUP-1', warehouse: 'WH-1', lines: [line] },
    });
    const accepted = await world.must<{ lines: object[] }>(`/v2/receipts/${receiptId}/acceptance`, {
      lines: [{ lineNo: 1, acceptedQuantity: 4, rejectedQuantity: 6, rejectReason: 'cartons crushed' }],
    });
    expect(accepted.lines).toMatchObject([{ rejectedQuantity: 6, rejectReason: 'cartons crushed' }]);
    const path = `/v2/quality/nonconformities?productCode=${product}`;
    const [entry] = (await read<{ items: EntryAnswer[] }>(path)).items;
    const ncId = entry?.ncId ?? '';
    expect(entry).toMatchObject({
      source: { kind: 'receipt', id: receiptId, no: 'PO-1', line: 1 },
      ...{ quantity: 6, openQuantity: 6, inStock: false, reason: 'cartons crushed', status: 'open' },
    });
    // Two of the accepted four turn out to be damaged too: they are in stock, and on hold.
    const damaged = await world.must<EntryAnswer>('/v2/quality/nonconformities', {
      ...{ productCode: product, batchNo: 'B1', warehouse: 'WH-1', quantity: 2, reason: 'cracked' },
    });
    expect(await world.quantities(product)).toEqual([2, 0, 2]);

    const destroyed = await dispose(
      {
        kind: 'destroy',
        lines: [
          { ncId, quantity: 4 },
          { ncId: damaged.ncId, quantity: 1 },
        ],
        reason: 'not sterile any more',
      },
      { witness: 'Zhang Wei' },
    );
    const returned = await dispose(
      { kind: 'return_to_supplier', ncIds: [ncId, damaged.ncId], reason: 'claim against the carrier' },
      { carrier: 'SF Express', trackingNo: 'SF-42' },
    );

    const byHand = [damaged.ncId, 1];
    expect(destroyed.lines.map((each) => [each.ncId, each.quantity])).toEqual([[ncId, 4], byHand]);
    expect(returned.lines.map((each) => [each.ncId, each.quantity])).toEqual([[ncId, 2], byHand]);
    expect(returned).toMatchObject({ supplierCode: 'SUP-1', carrier: 'SF Express', trackingNo: 'SF-42' });
    expect(await world.quantities(product)).toEqual([2, 0, 0]);
    // Only what had become stock leaves it. The receipt and the register account for the rest.
    expect(
      (await movementsOf(product))
        .filter(({ document }) =>
          [destroyed.dispositionId, returned.dispositionId].includes(`${document.id}`),
        )
        .map(({ kind, quantityDelta }) => [kind, quantityDelta])
        .sort(),
    ).toEqual([
      ['destruction', -1],
      ['supplier_return', -1],
    ]);

    await expectDocuments(product, [destroyed, returned]);
    const { chain } = await read<{ chain: { items: { step: string; quantity: number }[] } }>(
      `/v2/udi?code=${encodeURIComponent(`(01)${product}(10)B1`)}`,
    );
    for (const step of ['destroyed', 'returned_to_supplier'])
      expect(chain.items.filter((each) => each.step === step)).toMatchObject([{ quantity: 1 }]);
  });
});

/** 8 of 18 units were tested and conform; the others are destroyed and returned. */
async function decideOnStock(product: string): Promise<void> {
  const heldOf = async () =>
    (
      await read<{ items: { holdId: string; source: string }[] }>(
        `/v2/stock/holds?productCode=${product}&status=active`,
      )
    ).items;
  // The returned goods are inspected, and stay on hold for the recall.
  const ofReturn = (await heldOf()).find(({ source }) => source === 'return');
  await world.must(`/v2/stock/holds/${ofReturn?.holdId}/release`, { reason: 'inspected' });
  expect(await world.quantities(product)).toEqual([0, 0, 18]);
  const [recallHold] = await heldOf();
  const part = (quantity: number) => ({ lines: [{ holdId: recallHold?.holdId, quantity }] });
  await dispose({ kind: 'destroy', ...part(6), reason: 'cracks found' }, { witness: 'Zhang Wei' });
  await dispose({ kind: 'return_to_supplier', ...part(4), supplierCode: 'SUP-1', reason: 'claim' }, {});
  const left = (await heldOf()).map(({ holdId }) => holdId);
  await dispose({ kind: 'release', holdIds: left, reason: 'no cracks' }, {});
}

const ARRIVED = 30;

/** All units that arrived are accounted for, and the list of consignees says what each of them answered. */
async function expectAccounts({ recallId, recallNo, productCode }: RecallAnswer): Promise<void> {
  const progress = await read<{
    delivered: number;
    returnedQuantity: number;
    stock: { disposed: number };
  }>(`/v2/recalls/${recallId}/effectiveness`);
  expect(progress).toMatchObject({
    ...{
      status: 'closed',
      consignees: 2,
      acknowledged: 2,
      answered: 2,
      delivered: 15,
      returnedQuantity: 3,
    },
    ...counts({ used: 10, returned: 3, destroyed: 1, notFound: 1 }),
    ...{ notAnswered: 0, stock: { onHold: 0, disposed: 10, released: 8 } },
  });
  const [available = 0, reserved = 0, blocked = 0] = await world.quantities(productCode);
  const outside = progress.delivered - progress.returnedQuantity;
  expect(available + reserved + blocked + progress.stock.disposed + outside).toBe(ARRIVED);
  const stored = await read<RecallAnswer>(`/v2/recalls/${recallId}`);
  const rows = await list(`/exports/recalls/${recallId}.csv`);
  expect(rows).toHaveLength(2);
  for (const { customerCode, quantity, answer } of stored.consignees) {
    expect(answer).toMatchObject({ answeredBy: `${customerCode.toLowerCase()}@ward.example` });
    const { onHand, used, returned, destroyed, notFound, answeredAt, answeredBy } = answer ?? {};
    expectRow(
      rows.find((row) => row.customerCode === customerCode),
      { ...{ recallNo, quantity, onHand, used, returned, destroyed, notFound, answeredAt, answeredBy } },
    );
  }
}

describe('from a recall', () => {
  it('to its closure: two consignees answer themselves, the stock is decided on, and every unit is accounted for', async () => {
    const product = await world.newProduct();
    await world.enter(product, 'B1', ARRIVED);
    await world.ship({ product, batchNo: 'B1', quantity: 10, customer: 'HOSP-1' });
    await world.ship({ product, batchNo: 'B1', quantity: 5, customer: 'HOSP-2' });
    const scopes = ['recalls:read', 'recalls:write', 'events:read'];
    const newKey = async (customerCode: string) =>
      (await world.org.newKey({ customerCode, scopes, owner: `${customerCode.toLowerCase()}@ward.example` }))
        .apiKey;
    const [first, second] = [await newKey('HOSP-1'), await newKey('HOSP-2')];
    const { recallId } = await world.recall(product, { batchNos: ['B1'] });

    // Each learns of it from its own feed, with its own quantity.
    for (const [key, quantity] of [
      [first, 10],
      [second, 5],
    ] as const) {
      const { items } = await read<{ items: { eventType: string; data: object }[] }>('/v2/events', key);
      const opened = items.filter(({ eventType }) => eventType === 'recall.opened');
      expect(opened.map(({ data }) => data)).toMatchObject([
        { recallId, consignees: 1, quantities: { delivered: quantity } },
      ]);
    }
    expect(await world.quantities(product)).toEqual([0, 0, 15]);

    // Three come back before the ward counts the rest.
    await world.giveBack({ product, batchNo: 'B1', quantity: 3, customer: 'HOSP-1' });
    const answered = await world.answer(
      recallId,
      'HOSP-1',
      { used: 5, returned: 3, destroyed: 1, notFound: 1 },
      first,
    );
    expect(answered.status, answered.text).toBe(200);
    expect((await world.answer(recallId, 'HOSP-2', { onHand: 5 }, first)).status).toBe(404);
    const refused = await world.closeRecall(recallId);
    expect(refused.json.errors.map(({ message }) => message)).toEqual([
      '18 of batch B1 in WH-1 are on hold without a disposition',
      'HOSP-2 has not answered about the 5 delivered to it',
    ]);
    expect((await world.answer(recallId, 'HOSP-2', { used: 5 }, second)).status).toBe(200);

    await decideOnStock(product);
    expect(await world.quantities(product)).toEqual([8, 0, 0]);
    const closed = await world.closeRecall(recallId);
    expect(closed.status, closed.text).toBe(200);

    await expectAccounts(closed.data);
    const { items } = await read<{ items: { eventType: string }[] }>('/v2/events?limit=200', second);
    expect(items.at(-1)?.eventType).toBe('recall.closed');
  });
});
