import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService, stockCatalogue } from '../../test/harness/index.js';

interface View {
  receiptId: string;
  result: string;
  status: string;
  lines: {
    productCode: string;
    batchNo: string;
    manufactureDate: string | null;
    expiryDate: string | null;
    quantity: number;
    serials: string[];
    udi: string | null;
    udis: string[];
  }[];
}

const BOX = '16901234567899';
const PUMP_DI = '06901234567908';
const GLOVE_DI = '06901234567915';
const HIBC_DI = 'A123BJC5D6E71';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
  const put = async (code: string, body: object) => {
    const answer = await service.call('PUT', `/v2/products/${code}`, body);
    expect(answer, answer.text).toMatchObject({ status: 200 });
  };
  const packaging = [{ udiDi: BOX, level: 'box', quantity: 10 }];
  await put(GTIN, { productName: 'Stent', tracking: 'batch', packaging });
  await put('PUMP-1', {
    productName: 'Pump',
    tracking: 'serial',
    udiDi: PUMP_DI,
    packaging: [{ udiDi: '16901234567905', level: 'crate', quantity: 2 }],
  });
  await put('GLOVE-1', { productName: 'Gloves', tracking: 'none', udiDi: GLOVE_DI });
  await put('SCREW-1', { productName: 'Screw', tracking: 'batch', udiDi: HIBC_DI });
});
afterAll(() => service.close());

let numbers = 0;
const newNo = () => `SCAN-${++numbers}`;
const send = (lines: object[], receiptNo = newNo(), key?: string) =>
  service.call<View>(
    'POST',
    '/v2/receipts',
    {
      receiptNo,
      supplierCode: 'SUP-1',
      warehouse: 'WH-1',
      lines: lines.map((line, i) => ({ lineNo: i + 1, ...line })),
    },
    key,
  );
const lineOf = async (line: object) => {
  const answer = await send([line]);
  expect(answer, answer.text).toMatchObject({ status: 200 });
  return answer.data.lines[0];
};
const refusalOf = async (...lines: object[]) => {
  const answer = await send(lines);
  expect([answer.status, answer.code], answer.text).toEqual([400, 1001]);
  const [issue] = answer.json.errors ?? [];
  return [issue?.reason, issue?.path];
};
interface Evidence {
  batch_no: string;
  serial_no: string | null;
  quantity: number;
}
const evidenceOf = (receiptId: string) =>
  service.db.sql<Evidence>(
    `select purpose, line_no, code, product_code, batch_no, serial_no, quantity, scanned_by from scans
     where document_id = $1 order by scan_id`,
    [receiptId],
  );

describe('a scanned code says what a line needs', () => {
  const code = `(01)${GTIN}(11)260101(17)281130(10)B1`;

  it('product, batch and dates; the code is shown and kept as evidence', async () => {
    const { data } = await send([{ udi: code }]);
    expect(data.lines[0]).toMatchObject({
      productCode: GTIN,
      batchNo: 'B1',
      manufactureDate: '2026-01-01',
      expiryDate: '2028-11-30',
      quantity: 1,
      serials: [],
      udi: code,
      udis: [code],
    });
    expect(await evidenceOf(data.receiptId)).toEqual([
      {
        purpose: 'receipt',
        line_no: 1,
        code,
        product_code: GTIN,
        batch_no: 'B1',
        serial_no: null,
        quantity: 1,
        scanned_by: expect.stringContaining('@'),
      },
    ]);
  });

  it('in the form a scanner gives it, and in that of HIBC', async () => {
    const scanned = `]d201${GTIN}10B2\u001d17281130`;
    expect(await lineOf({ udi: scanned })).toMatchObject({ batchNo: 'B2', udi: scanned });
    const plain = await lineOf({ udi: `+${HIBC_DI}G`, batchNo: 'H1', expiryDate: null });
    expect(plain).toMatchObject({ productCode: 'SCREW-1', batchNo: 'H1', expiryDate: null });
  });

  it('a HIBC label may hold spaces: inside they are kept, around a number they are not, and it is traced by either', async () => {
    const labelOf = (lot: string) => {
      const body = `+${HIBC_DI}/$${lot}`;
      const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%';
      const sum = [...body].reduce((total, each) => total + characters.indexOf(each), 0);
      return body + characters[sum % 43];
    };
    const expiryDate = '2028-11-30';
    const padded = labelOf('LOT 7  ');
    expect(await lineOf({ udi: labelOf('LOT 7'), quantity: 1, expiryDate })).toMatchObject({
      batchNo: 'LOT 7',
    });
    const receipt = await send([{ udi: padded, quantity: 5, expiryDate }]);
    expect(receipt.data.lines[0]).toMatchObject({ productCode: 'SCREW-1', batchNo: 'LOT 7', udi: padded });
    const acceptance = { lines: [{ lineNo: 1, acceptedQuantity: 5, rejectedQuantity: 0 }] };
    await service.call('POST', `/v2/receipts/${receipt.data.receiptId}/acceptance`, acceptance);
    for (const code of [padded, labelOf('LOT 7')]) {
      const trace = await service.call<{ holders: { quantity: number }[] }>(
        'GET',
        `/v2/udi/${encodeURIComponent(code)}`,
      );
      expect([code, trace.data?.holders.map(({ quantity }) => quantity)]).toEqual([code, [5]]);
    }
    const nothing = await send([{ udi: labelOf('   '), quantity: 1, expiryDate }]);
    expect([nothing.status, nothing.reason]).toEqual([400, 'bad_format']);
  });

  it('a package counts the units in it, times the quantity in the code', async () => {
    expect(await lineOf({ udi: `(01)${BOX}(17)281130(10)B1` })).toMatchObject({
      productCode: GTIN,
      quantity: 10,
    });
    expect(await lineOf({ udi: `(01)${BOX}(17)281130(10)B1(30)3` })).toMatchObject({ quantity: 30 });
    expect(await lineOf({ udi: `(01)${BOX}(17)281130(10)B1`, quantity: 40 })).toMatchObject({ quantity: 40 });
    expect(await lineOf({ udi: code, quantity: 7 })).toMatchObject({ quantity: 7 });
  });

  it('several codes make one line, a serialized unit each', async () => {
    const udis = ['S1', 'S2', 'S3'].map((serial) => `(01)${PUMP_DI}(17)301231(10)P1(21)${serial}`);
    const { data } = await send([{ udis }]);
    expect(data.lines[0]).toMatchObject({
      productCode: 'PUMP-1',
      batchNo: 'P1',
      quantity: 3,
      serials: ['S1', 'S2', 'S3'],
      udi: null,
      udis,
    });
    const rows = await evidenceOf(data.receiptId);
    expect(rows.map((row) => [row.serial_no, row.quantity])).toEqual([
      ['S1', 1],
      ['S2', 1],
      ['S3', 1],
    ]);
    const accepted = await service.call<View>('POST', `/v2/receipts/${data.receiptId}/acceptance`, {
      lines: [{ lineNo: 1, acceptedQuantity: 3, rejectedQuantity: 0 }],
    });
    expect(accepted.data).toMatchObject({ status: 'accepted', lines: [{ udis }] });
  });

  it('of a product without batches the rest of the label is evidence only', async () => {
    const { data } = await send([{ udi: `(01)${GLOVE_DI}(17)281130(10)L9`, quantity: 5 }]);
    expect(data.lines[0]).toMatchObject({ batchNo: '', expiryDate: null, quantity: 5 });
    expect(await evidenceOf(data.receiptId)).toMatchObject([{ batch_no: 'L9', quantity: 5 }]);
  });

  it('what is given beside it may say the same', async () => {
    const beside = { productCode: GTIN.slice(1), batchNo: 'B1', expiryDate: '2028-11-30', quantity: 2 };
    expect(await lineOf({ udi: code, ...beside })).toMatchObject({ productCode: GTIN, quantity: 2 });
  });
});

describe('the same receipt with the same codes', () => {
  it('is unchanged, and what was scanned is not kept twice', async () => {
    const receiptNo = newNo();
    const lines = [{ udi: `(01)${GTIN}(17)281130(10)B1`, quantity: 4 }];
    const first = await send(lines, receiptNo);
    expect([first.data.result, (await send(lines, receiptNo)).data.result]).toEqual(['created', 'unchanged']);
    service.db.clock.advance(1_000);
    const more = [...lines, { udi: `(01)${GTIN}(17)281231(10)B2` }];
    expect((await send(more, receiptNo)).data.result).toBe('updated');
    // Typed instead of scanned: the same goods, another receipt; the evidence stays.
    const typed = [{ productCode: GTIN, batchNo: 'B1', expiryDate: '2028-11-30', quantity: 4 }];
    expect((await send(typed, receiptNo)).data).toMatchObject({
      result: 'updated',
      lines: [{ udi: null, udis: [] }],
    });
    const rows = await evidenceOf(first.data.receiptId);
    expect(rows.map((row) => row.batch_no)).toEqual(['B1', 'B2']);
  });
});

describe('a code that does not fit is refused where it stands', () => {
  const code = `(01)${GTIN}(17)281130(10)B1`;
  const pump = (serial: string) => `(01)${PUMP_DI}(17)301231(10)P1(21)${serial}`;
  it.each<[string, object, string, string]>([
    ['wrong check digit', { udi: '(01)06901234567893' }, 'bad_check_digit', '/lines/0/udi'],
    ['no code at all', { udi: 'hello' }, 'unknown_format', '/lines/0/udi'],
    ['one of several', { udis: [code, '(01)1'] }, 'too_short', '/lines/0/udis/1'],
    ['no device', { udi: 'AHM.123' }, 'missing_device_identifier', '/lines/0/udi'],
    ['unknown device', { udi: '(01)00844588003288' }, 'unknown_reference', '/lines/0/udi'],
    ['other product', { udi: code, productCode: 'PUMP-1' }, 'scan_mismatch', '/lines/0/productCode'],
    ['other batch', { udi: code, batchNo: 'B2' }, 'scan_mismatch', '/lines/0/batchNo'],
    ['other expiry', { udi: code, expiryDate: '2028-11-29' }, 'scan_mismatch', '/lines/0/expiryDate'],
    ['no expiry', { udi: code, expiryDate: null }, 'scan_mismatch', '/lines/0/expiryDate'],
    [
      'other manufacture',
      { udi: `${code}(11)260101`, manufactureDate: '2026-01-02' },
      'scan_mismatch',
      '/lines/0/manufactureDate',
    ],
    ['other serials', { udi: pump('S7'), serials: ['S8'] }, 'scan_mismatch', '/lines/0/serials'],
    ['another number of units', { udi: pump('S7'), quantity: 2 }, 'scan_mismatch', '/lines/0/quantity'],
    ['a serialized unit twice', { udis: [pump('S7'), pump('S7')] }, 'serial_twice', '/lines/0'],
    [
      'two batches on one line',
      { udis: [code, code.replace('B1', 'B2')] },
      'scan_mismatch',
      '/lines/0/udis/1',
    ],
    [
      'part of a box',
      { udi: `(01)${BOX}(17)281130(10)B1`, quantity: 15 },
      'package_mismatch',
      '/lines/0/quantity',
    ],
    [
      'a crate of unnamed serialized units',
      { udi: '(01)16901234567905(17)301231(10)P1' },
      'package_mismatch',
      '/lines/0/udi',
    ],
    ['batch without expiry', { udi: `(01)${GTIN}(10)B1` }, 'expiry_date_required', '/lines/0/expiryDate'],
    ['none of it', { udi: `${code}(30)0` }, 'out_of_range', '/lines/0/udi'],
    ['both ways', { udi: code, udis: [code] }, 'not_allowed', '/lines/0/udis'],
    ['nothing said', { batchNo: 'B1', expiryDate: null, quantity: 1 }, 'required', '/lines/0/productCode'],
    ['no quantity', { productCode: 'GLOVE-1' }, 'required', '/lines/0/quantity'],
  ])('%s', async (_what, line, reason, path) => {
    expect(await refusalOf(line)).toEqual([reason, path]);
  });

  it('a device of another organization is as unknown as one that does not exist', async () => {
    const other = await newOrganization(service.db);
    await stockCatalogue(service.api, other.key);
    const answer = await send([{ udi: `(01)${BOX}(17)281130(10)B1` }], newNo(), other.key);
    expect([answer.status, answer.reason]).toEqual([400, 'unknown_reference']);
  });
});
