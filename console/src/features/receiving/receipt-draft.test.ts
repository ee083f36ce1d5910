import { describe, expect, it } from 'vitest';
import type { ScannedGoods } from '../catalogue/scanned-goods.js';
import { addScan, bodyOf, type DraftLine, emptyLine, type ReceiptDraft } from './receipt-draft.js';

const goods = (part: Partial<ScannedGoods> = {}): ScannedGoods => ({
  code: 'code',
  productCode: 'STENT',
  productName: 'Stent',
  tracking: 'batch',
  units: 1,
  batchNo: 'B1',
  serialNo: null,
  manufactureDate: null,
  expiryDate: '2030-12-31',
  ...part,
});
const linesOf = (...scans: ScannedGoods[]): DraftLine[] =>
  scans.reduce<DraftLine[]>((lines, each) => {
    const result = addScan(lines, each);
    if (!result.ok) throw new Error(result.problem);
    return result.lines;
  }, []);
const draft = (part: Partial<ReceiptDraft>): ReceiptDraft => ({
  receiptNo: ' RC-1 ',
  kind: 'purchase',
  supplierCode: 'SUP-1',
  customerCode: 'HOSP-1',
  warehouse: 'WH-1',
  remark: ' ',
  purchaseOrderNo: '',
  arrivedAt: '',
  transportTemperature: null,
  sampled: false,
  lines: [],
  ...part,
});

describe('a scanned code', () => {
  it('is counted on the line of its product, batch and dates, or begins a new one', () => {
    const lines = linesOf(
      goods(),
      goods({ units: 10 }),
      goods({ batchNo: 'B2' }),
      goods({ expiryDate: '2031-01-31' }),
    );
    expect(lines.map(({ batchNo, expiryDate, quantity }) => [batchNo, expiryDate, quantity])).toEqual([
      ['B1', '2030-12-31', 11],
      ['B2', '2030-12-31', 1],
      ['B1', '2031-01-31', 1],
    ]);
  });

  it('takes the place of a line that nothing was entered into, and of no other', () => {
    const result = addScan([emptyLine(), { ...emptyLine(), batchNo: 'HAND' }], goods());
    expect(result.ok && result.lines.map(({ batchNo }) => batchNo)).toEqual(['HAND', 'B1']);
  });

  it('of a product without batches leaves out what its label says about them', () => {
    const [line] = linesOf(goods({ tracking: 'none' }));
    expect(line).toMatchObject({ batchNo: '', expiryDate: '', quantity: 1 });
  });

  it('of a serialized unit is counted once, and never as a package', () => {
    const unit = goods({ tracking: 'serial', serialNo: 'SN-1' });
    const lines = linesOf(unit, { ...unit, serialNo: 'SN-2' });
    expect(lines).toMatchObject([{ quantity: 2, serials: 'SN-1\nSN-2' }]);
    expect(addScan(lines, unit)).toEqual({ ok: false, problem: 'twice' });
    expect(addScan(lines, { ...unit, serialNo: 'SN-3', units: 5 })).toEqual({
      ok: false,
      problem: 'packageOfUnits',
    });
  });
});

describe('the receipt that is sent', () => {
  it('names the supplier of a purchase or the customer of a return, never both', () => {
    expect(bodyOf(draft({}))).toMatchObject({ receiptNo: 'RC-1', supplierCode: 'SUP-1', remark: null });
    expect(bodyOf(draft({}))).not.toHaveProperty('customerCode');
    expect(bodyOf(draft({ kind: 'return' }))).toMatchObject({ customerCode: 'HOSP-1' });
    expect(bodyOf(draft({ kind: 'return' }))).not.toHaveProperty('supplierCode');
  });

  it('carries the scanned codes as evidence, as long as they add up to the quantity', () => {
    const lines = linesOf(goods({ code: 'c1' }), goods({ code: 'c2' }));
    expect(bodyOf(draft({ lines })).lines).toMatchObject([{ lineNo: 1, quantity: 2, udis: ['c1', 'c2'] }]);
    const corrected = lines.map((line) => ({ ...line, quantity: 5 }));
    expect(bodyOf(draft({ lines: corrected })).lines).toMatchObject([{ quantity: 5, udis: ['c1'] }]);
  });

  it('carries no codes of serialized units whose numbers were corrected by hand', () => {
    const lines = linesOf(goods({ tracking: 'serial', serialNo: 'SN-1' }));
    expect(bodyOf(draft({ lines })).lines).toMatchObject([{ serials: ['SN-1'], udis: ['code'] }]);
    const [line] = bodyOf(draft({ lines: lines.map((each) => ({ ...each, serials: 'SN-9' })) })).lines;
    expect(line).toMatchObject({ serials: ['SN-9'] });
    expect(line).not.toHaveProperty('udis');
  });

  it('leaves out what was not entered', () => {
    const [line] = bodyOf(draft({ lines: [{ ...emptyLine(), productCode: 'GAUZE', quantity: 3 }] })).lines;
    expect(line).toEqual({ lineNo: 1, productCode: 'GAUZE', quantity: 3 });
  });
});
