import { afterAll, beforeAll, describe, expect } from 'vitest';
import { GTIN } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  dialog,
  field,
  hasBrowser,
  inBrowser,
  inFullTier,
  readSheet,
  said,
} from '../harness/index.js';
import { barriersAgainOn, barriersOn } from '../harness/inspection.js';

const STENT = 'Coronary stent 3.0×18';
const NONE = '–';

/** Documents say warehouses by name. */
const NAMES: Readonly<Record<string, string>> = { 'WH-1': 'Main' };

interface Entry {
  ncId: string;
  productCode: string;
  productName: string;
  batchNo: string;
  expiryDate: string | null;
  serials: string[];
  quantity: number;
  warehouse: string;
  supplierCode: string | null;
  reason: string;
  createdAt: string;
  createdBy: string;
  source: { no: string };
}
interface Disposition {
  dispositionId: string;
  dispositionNo: string;
  reason: string;
  lines: (Pick<Entry, 'productCode' | 'productName' | 'batchNo' | 'expiryDate' | 'serials'> & {
    lineNo: number;
    warehouse: string;
    quantity: number;
  })[];
  supplierCode: string | null;
  supplierName: string | null;
  [field: string]: unknown;
}

let world: ConsoleWorld;
let proposer: Awaited<ReturnType<ConsoleWorld['enter']>>;
let approver: typeof proposer;

/** Two products arrive, and a part of each is rejected: two stents, and one pump by its serial number. */
async function receiveDamaged(): Promise<void> {
  const { receiptId } = await world.must<{ receiptId: string }>('POST', '/v2/receipts', {
    receiptNo: 'RC-Q1',
    supplierCode: 'SUP-1',
    warehouse: 'WH-1',
    lines: [
      { lineNo: 1, productCode: GTIN, batchNo: 'NC-1', expiryDate: '2030-12-31', quantity: 10 },
      {
        lineNo: 2,
        productCode: 'PUMP-1',
        batchNo: 'P-1',
        expiryDate: null,
        quantity: 2,
        serials: ['S1', 'S2'],
      },
    ],
  });
  const damaged = { rejectReason: 'carton crushed' };
  await world.must('POST', `/v2/receipts/${receiptId}/acceptance`, {
    lines: [
      { lineNo: 1, acceptedQuantity: 8, rejectedQuantity: 2, ...damaged },
      { lineNo: 2, acceptedQuantity: 1, acceptedSerials: ['S1'], rejectedQuantity: 1, ...damaged },
    ],
  });
}

const goodsRows = ({ lines }: Disposition): string[][] =>
  lines.map((line) => [
    String(line.lineNo),
    [line.productName, line.productCode].join('\n'),
    [line.batchNo, ...(line.serials.length > 0 ? [`Serial numbers: ${line.serials.join(', ')}`] : [])].join(
      '\n',
    ),
    line.expiryDate ?? NONE,
    NAMES[line.warehouse] ?? '',
    String(line.quantity),
  ]);

/** Each row ends with room for the signature. */
const person = (role: string, name: unknown, at: unknown) => [role, String(name), String(at), ''];

async function testDestruction(): Promise<void> {
  const { page } = proposer;
  await proposer.go('/quality/nonconformities');
  await page.getByRole('checkbox', { name: `Select ${STENT}, batch NC-1` }).check();
  await page.getByRole('checkbox', { name: 'Select Infusion pump, batch P-1' }).check();
  await page.getByText('2 entries selected').waitFor();
  await button(page, 'Propose disposition').click();
  await dialog(page).getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Destruction' }).click();
  await field(dialog(page), 'Reason').fill('crushed in transit');
  expect(await barriersOn(page)).toEqual([]);
  await button(dialog(page), 'Propose disposition').click();
  await said(page, 'Disposition proposed. Another person must approve it.');
  await page.getByText('The person who proposes cannot approve.').waitFor();
  expect(await button(page, 'Approve disposition').isDisabled()).toBe(true);
  expect(await barriersAgainOn(page)).toEqual([]);

  await approver.go('/');
  await approver.page.getByRole('link', { name: 'Dispositions to approve · 1' }).click();
  await approver.page.getByRole('link', { name: 'Destruction' }).click();
  await button(approver.page, 'Approve disposition').click();
  await button(dialog(approver.page), 'Approve disposition').click();
  await said(approver.page, 'Disposition approved.');
  await button(approver.page, 'Execute disposition').click();
  await field(dialog(approver.page), 'Witness').fill('Zhang Wei');
  await button(dialog(approver.page), 'Execute disposition').click();
  await said(approver.page, 'Disposition executed.');
  await approver.page.getByRole('link', { name: 'Print record' }).click();
  await approver.page.getByRole('heading', { name: 'Destruction record', level: 1 }).waitFor();
  await approver.settle();

  const { items } = await world.must<{ items: Disposition[] }>('GET', '/v2/quality/dispositions');
  const [stored] = items as [Disposition];
  expect(stored).toMatchObject({
    ...{ status: 'executed', proposedBy: proposer.email, approvedBy: approver.email, witness: 'Zhang Wei' },
    lines: [
      { productCode: GTIN, quantity: 2 },
      { productCode: 'PUMP-1', serials: ['S2'] },
    ],
  });
  const sheet = await readSheet(approver.page);
  expect(sheet.facts).toEqual({ Type: 'Destruction', Reason: 'crushed in transit' });
  await approver.page.getByText(`Record ID: ${stored.dispositionId}`).waitFor();
  expect(sheet.tables.map(({ rows }) => rows)).toEqual([
    goodsRows(stored),
    [
      person('Proposed by', stored.proposedBy, stored.proposedAt),
      person('Approved by', stored.approvedBy, stored.approvedAt),
      person('Executed by', stored.executedBy, stored.executedAt),
      person('Witness', stored.witness, stored.executedAt),
    ],
  ]);
}

async function testRegisterPrint(): Promise<void> {
  const { page } = proposer;
  await proposer.go('/quality/nonconformities?status=closed');
  await page.getByRole('link', { name: 'Print register' }).click();
  await page.getByRole('heading', { name: 'Register of nonconforming goods', level: 1 }).waitFor();
  await proposer.settle();
  const { items } = await world.must<{ items: Entry[] }>('GET', '/v2/quality/nonconformities?status=closed');
  const { items: dispositions } = await world.must<{ items: Disposition[] }>(
    'GET',
    '/v2/quality/dispositions',
  );
  const sheet = await readSheet(page);
  expect(sheet.facts).toEqual({ Status: 'Closed' });
  expect(items).toHaveLength(2);
  expect(sheet.tables[0]?.rows).toEqual(
    items.map((entry) => [
      [entry.createdAt, entry.createdBy].join('\n'),
      [entry.productName, entry.productCode, ...entry.serials].join('\n'),
      entry.batchNo,
      entry.expiryDate ?? NONE,
      String(entry.quantity),
      NAMES[entry.warehouse] ?? '',
      ['Rejected at acceptance', entry.source.no, entry.supplierCode].join('\n'),
      entry.reason,
      `${dispositions[0]?.dispositionNo} Destruction: ${entry.quantity} ${entry.quantity === 1 ? 'unit' : 'units'} (Executed) ${dispositions[0]?.executedAt}`,
      'Closed',
    ]),
  );
  // 10:00 in the browser's zone, UTC.
  const [shown] = await page.locator('.print-sheet tbody time').allInnerTexts();
  expect(shown?.replaceAll(/\s/g, ' ')).toMatch(/18:00$/);
}

/** Proposed by one person, approved and executed by another. */
async function dispose(kind: string, execution: object): Promise<Disposition> {
  const goods = { productCode: GTIN, batchNo: 'NC-1', warehouse: 'WH-1', quantity: 1, reason: 'label torn' };
  const { ncId } = await world.must<Entry>('POST', '/v2/quality/nonconformities', goods);
  const body = { kind, ncIds: [ncId], reason: 'label torn' };
  const { dispositionId } = await world.must<Disposition>('POST', '/v2/quality/dispositions', body);
  const path = `/v2/quality/dispositions/${dispositionId}`;
  const { apiKey } = await world.org.newKey({ owner: 'second@test.example' });
  await world.must('POST', `${path}/approve`, {}, apiKey);
  return world.must<Disposition>('POST', `${path}/execute`, execution, apiKey);
}

async function testOtherRecords(): Promise<void> {
  const returned = await dispose('return_to_supplier', { carrier: 'SF Express', trackingNo: 'SF-42' });
  const released = await dispose('release', {});
  const read = async (stored: Disposition, title: string) => {
    await proposer.go(`/quality/dispositions/${stored.dispositionId}/record`);
    await proposer.page.getByRole('heading', { name: title, level: 1 }).waitFor();
    const { facts, tables } = await readSheet(proposer.page);
    expect(tables[0]?.rows).toEqual(goodsRows(stored));
    const people = [
      person('Proposed by', stored.proposedBy, stored.proposedAt),
      person('Approved by', stored.approvedBy, stored.approvedAt),
      person('Executed by', stored.executedBy, stored.executedAt),
    ];
    expect(tables[1]?.rows.slice(0, people.length)).toEqual(people);
    expect(facts).toMatchObject({ Reason: stored.reason });
    return { facts, signatories: tables[1]?.rows.map(([role]) => role).slice(people.length) };
  };
  expect(await read(returned, 'Supplier return note')).toMatchObject({
    facts: { Supplier: 'Acme Devices · SUP-1', Carrier: 'SF Express', 'Tracking no.': 'SF-42' },
    signatories: ['Received by supplier'],
  });
  expect(await read(released, 'Release record')).toMatchObject({ signatories: [] });
}

async function testRelease(): Promise<void> {
  const goods = { productCode: GTIN, batchNo: 'NC-1', warehouse: 'WH-1', quantity: 2 };
  const { holdId } = await world.must<{ holdId: string }>('POST', '/v2/stock/holds', {
    ...{ ...goods, category: 'quality', reason: 'seal to be examined' },
  });
  const { page } = approver;
  await approver.go('/holds?status=active');
  await button(page, /^Actions for .*NC-1$/)
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Release hold' }).click();
  await button(dialog(page), 'Release hold').click();
  // The reason is missing, so nothing was sent.
  expect(await field(dialog(page), 'Reason').evaluate((input) => input.matches(':invalid'))).toBe(true);
  await field(dialog(page), 'Reason').fill('seal intact');
  await button(dialog(page), 'Release hold').click();
  await said(page, 'Hold released.');
  const { items } = await world.must<{ items: { holdId: string }[] }>(
    'GET',
    '/v2/stock/holds?status=released',
  );
  expect(items.find((hold) => hold.holdId === holdId)).toMatchObject({
    ...{ releasedBy: approver.email, releaseReason: 'seal intact' },
  });
}

export const testQuality = (service: () => ConsoleService) =>
  describe('quality', () => {
    beforeAll(async () => {
      world = await service().beside();
      await world.must('PATCH', '/v2/settings', { timeZone: 'Asia/Shanghai' });
      await receiveDamaged();
      if (!hasBrowser) return;
      proposer = await world.enter('quality');
      approver = await world.enter('quality');
    });
    afterAll(async () => {
      await proposer?.leave();
      await approver?.leave();
    });

    inBrowser(
      'goods rejected at a receipt are destroyed by two people, and the record says what is stored',
      120_000,
      testDestruction,
    );
    inBrowser('the printed register says what is stored', 60_000, testRegisterPrint);
    inFullTier('the notes of a supplier return and a release say what is stored', 60_000, testOtherRecords);
    inBrowser('a hold of quality is released with a reason', 60_000, testRelease);
  });
