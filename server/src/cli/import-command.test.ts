import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  newOrganization,
  openTestDatabase,
  runCommand,
  sized,
  type TestDatabase,
} from '../../test/harness/index.js';
import { verifyAudit } from '../audit/index.js';
import type { ImportReport } from './import-file.js';

describe('lotward import', () => {
  let db: TestDatabase;
  let folder: string;
  let org: string;
  let orgId: string;
  let count = 0;
  beforeAll(async () => {
    db = await openTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'lotward-import-'));
  });
  beforeEach(async () => {
    org = `imp-${++count}`;
    orgId = (await newOrganization(db, { code: org })).organization.orgId;
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const lotward = (...args: string[]) => runCommand(db, ...args);
  const fileOf = (text: string | Buffer) => {
    const file = join(folder, `${++count}.csv`);
    writeFileSync(file, text);
    return file;
  };
  const importing = async (kind: string, text: string | Buffer, ...options: string[]) => {
    const { out, err, exitCode } = await lotward(
      'import',
      kind,
      fileOf(text),
      '--org',
      org,
      '--json',
      ...options,
    );
    return { report: out === '' ? null : (JSON.parse(out) as ImportReport), err, exitCode };
  };
  const products = () =>
    db.sql<{ code: string; name: string }>(
      'select product_code as code, product_name as name from products where org_id = $1 order by product_code',
      [orgId],
    );

  it('creates products with every kind of field as the API would, and replaces them the next time', async () => {
    await importing('partners', 'code,name,roles\nS-1,Supplier,supplier;manufacturer\n');
    const header =
      'productName,productCode,storage.temperatureMin,storage.temperatureMax,packaging,sterile,tracking,safetyStock,supplierCode,riskClass';
    const row = 'Stent,6901234567892,2.5,8,16901234567899:box:10;HIB:X1:case:100,TRUE,batch,5,S-1,III';
    expect(await importing('products', `${header}\n${row}\nGlove,G-1,,,,,none,,,\n`)).toMatchObject({
      report: { created: 2, updated: 0, refused: 0, rows: [], written: true },
      exitCode: 0,
    });
    const [stent] = await db.sql(
      `select product_code as code, temperature_min::float as low, sterile, tracking, safety_stock as safety,
         (select json_agg(json_build_array(udi_di, level, quantity) order by position) from device_identifiers d
          where d.org_id = p.org_id and d.product_code = p.product_code) as identifiers
       from products p where org_id = $1 and product_code = '06901234567892'`,
      [orgId],
    );
    expect(stent).toEqual({
      code: '06901234567892',
      low: 2.5,
      sterile: true,
      tracking: 'batch',
      safety: 5,
      identifiers: [
        ['06901234567892', null, 1],
        ['16901234567899', 'box', 10],
        ['HIB:X1', 'case', 100],
      ],
    });
    expect(
      await importing('products', 'productCode,productName\n06901234567892,Stent II\nG-2,Other glove\n'),
    ).toMatchObject({ report: { created: 1, updated: 1, refused: 0, written: true }, exitCode: 0 });
    expect((await products()).map((p) => p.name)).toEqual(['Stent II', 'Glove', 'Other glove']);
    expect(await verifyAudit(db.database, orgId)).toMatchObject({ ok: true });
  });

  it('reads a byte order mark, semicolons, CRLF, and quoted cells that hold all of these', async () => {
    const text =
      '\ufeffname;code;roles;contact.address\r\n' +
      '"St. Mary; ""West"", wing";H-1;customer;"12 Hill Road\r\nNorthgate"\r\n' +
      '\r\n' +
      'Żółw Medyczny;S-1;"supplier;customer";\r\n';
    expect(await importing('partners', text)).toMatchObject({ report: { created: 2, written: true } });
    expect(
      await db.sql('select code, name, roles, contact from partners where org_id = $1 order by code', [
        orgId,
      ]),
    ).toMatchObject([
      { code: 'H-1', name: 'St. Mary; "West", wing', contact: { address: '12 Hill Road Northgate' } },
      { code: 'S-1', name: 'Żółw Medyczny', roles: ['supplier', 'customer'], contact: null },
    ]);
  });

  it('reads where partners are and how they are registered, and refuses what is not such a number', async () => {
    const header = 'code,name,roles,gln,registrationCode,addresses\n';
    const good =
      'L-1,Located,customer,6901234567892,91350100M000100Y43,WARD-3:Ward 3:1 Hill Road; GATE:Gate\n';
    expect(await importing('partners', header + good)).toMatchObject({
      report: { created: 1, written: true },
    });
    expect(
      await db.sql(
        `select gln, registration_code, addresses from partners where org_id = $1 and code = 'L-1'`,
        [orgId],
      ),
    ).toEqual([
      {
        gln: '6901234567892',
        registration_code: '91350100M000100Y43',
        addresses: [
          { code: 'WARD-3', name: 'Ward 3', address: '1 Hill Road', contact: null, gln: null },
          { code: 'GATE', name: 'Gate', address: null, contact: null, gln: null },
        ],
      },
    ]);
    const { report } = await importing('partners', `${header}L-2,Bad,customer,6901234567893,,\n`);
    expect(report?.rows).toMatchObject([{ line: 2, path: 'gln', reason: 'gln_invalid' }]);
  });

  const HOSPITAL = '上海仁济医院';
  const gb18030 = Buffer.from('c9cfbaa3c8cabcc3d2bdd4ba', 'hex');
  const partnerNames = () =>
    db.sql<{ name: string }>('select name from partners where org_id = $1 order by code', [orgId]);
  it.each([
    [
      'GB18030',
      Buffer.concat([Buffer.from('code,name,roles\r\nH-1,'), gb18030, Buffer.from(',customer\r\n')]),
    ],
    ['UTF-16LE', Buffer.from(`\ufeffcode\tname\troles\r\nH-1\t${HOSPITAL}\tcustomer\r\n`, 'utf16le')],
    ['UTF-16BE', Buffer.from(`\ufeffcode,name,roles\r\nH-1,${HOSPITAL},customer\r\n`, 'utf16le').swap16()],
    ['UTF-8', Buffer.from(`\ufeffcode,name,roles\r\nH-1,${HOSPITAL},customer\r\n`)],
    ['UTF-8', Buffer.from(`code,name,roles\nH-1,${HOSPITAL},customer\n`)],
  ])('reads %s as a spreadsheet saves it, and says so', async (encoding, file) => {
    expect((await importing('partners', file)).report).toMatchObject({ created: 1, encoding });
    expect(await partnerNames()).toEqual([{ name: HOSPITAL }]);
    const { out } = await lotward('import', 'partners', fileOf(file), '--org', org);
    expect(out.includes(`The file was read as ${encoding}.`)).toBe(encoding !== 'UTF-8');
  });

  it('reads a character of GB18030 that lies across two reads of the file', async () => {
    const readAtOnce = 64 * 1024;
    const nameOf = (code: string) =>
      Buffer.concat([Buffer.from(`${code},`), gb18030, Buffer.from(`,customer,${'x'.repeat(161)}\n`)]);
    const rows = Array.from({ length: 400 }, (_, i) => nameOf(`H-${String(i).padStart(5, '0')}`));
    // The first code and the addresses are as long as it takes for the end of a read to fall within a character.
    const header = Buffer.from('code,name,roles,contact.address\n');
    const file = Buffer.concat([header, nameOf(`H-${'0'.repeat(22)}`), ...rows]);
    const row = file.lastIndexOf('\n', readAtOnce - 1) + 1;
    const name = file.indexOf(',', row) + 1;
    expect(readAtOnce - name).toBeLessThan(gb18030.length);
    expect((readAtOnce - name) % 2).toBe(1);
    expect((await importing('partners', file)).report).toMatchObject({ created: 401, encoding: 'GB18030' });
    expect(new Set((await partnerNames()).map(({ name }) => name))).toEqual(new Set([HOSPITAL]));
  });

  it('keeps empty cells of a file separated by tabs', async () => {
    const text =
      '\ufeffcode\tname\troles\tcontact.phone\tcontact.address\r\nH-1\tA\tcustomer\t\tHill Road\r\n';
    const { report } = await importing('partners', Buffer.from(text, 'utf16le'));
    expect(report).toMatchObject({ created: 1, rows: [] });
  });

  it.each([
    [
      'an unknown column, listing the known ones',
      'productCode,productName,colour\n',
      /"colour" is not known.*storage\.temperatureMin/,
    ],
    ['a column twice', 'productCode,productName,productName\n', /"productName" appears twice/],
    ['a missing column', 'productCode,category\n', /lacks: productName/],
    ['an empty file', '', /is empty/],
    [
      'text of Western Windows',
      Buffer.from('productCode,productName\nA,Caf\xe9\n', 'latin1'),
      /is not UTF-8, UTF-16 with a byte order mark, or GB18030 text.*save it as "CSV UTF-8"/,
    ],
    [
      'text of Western Windows that could be read as Chinese',
      Buffer.from('productCode,productName\nA,M\xfcller\nB,Gar\xe7on\n', 'latin1'),
      /is not UTF-8/,
    ],
    ['UTF-16 without its mark', Buffer.from('productCode,productName\nA,B\n', 'utf16le'), /is not UTF-8/],
    ['text that lost characters before', 'productCode,productName\nA,Caf\ufffd\n', /characters were lost/],
    [
      'the same in GB18030',
      Buffer.concat([
        Buffer.from('productCode,productName\nA,'),
        Buffer.from('c9cf8431a437', 'hex'),
        Buffer.from('\n'),
      ]),
      /characters were lost/,
    ],
    [
      'GB18030 that ends in the middle of a character',
      Buffer.from('70726f64756374436f64652c70726f647563744e616d650a412cc9cfba', 'hex'),
      /is not UTF-8/,
    ],
    ['a quote that is not closed', 'productCode,productName\nA,"B\n', /Quote Not Closed.*line 2/],
  ])('refuses %s before anything is written', async (_what, text, message) => {
    const { report, err, exitCode } = await importing('products', text, '--partial');
    expect({ report, exitCode }).toEqual({ report: null, exitCode: 1 });
    expect(err).toMatch(message);
    expect(await products()).toEqual([]);
  });

  it('names line, column and reason of every bad row, and writes nothing', async () => {
    const text =
      'productCode,productName,safetyStock,storage.temperatureMin,packaging,tracking\n' +
      'A,"two\nlines",1,,,\n' +
      'B,Name,many,cold,,\n' +
      'C,,1,,X:box:none,pieces\n' +
      'D,Name\n' +
      '6.90123E+12,Name,1,,,\n' +
      ',Name,1,,,\n';
    const { report, exitCode } = await importing('products', text);
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ created: 0, updated: 0, refused: 5, written: false });
    expect(report?.rows.map(({ line, path, reason }) => [line, path, reason])).toEqual([
      [4, 'storage.temperatureMin', 'wrong_type'],
      [4, 'safetyStock', 'wrong_type'],
      [5, 'productName', 'required'],
      [5, 'packaging', 'wrong_type'],
      [5, 'tracking', 'not_allowed'],
      [6, null, 'wrong_cell_count'],
      [7, 'productCode', 'shortened_number'],
      [8, 'productCode', 'required'],
    ]);
    expect(await products()).toEqual([]);
  });

  it('refuses one code in two rows, however it is spelled, naming both lines', async () => {
    const text = 'productCode,productName\n6901234567892,One\nX,Two\n06901234567892,Three\n';
    const { report } = await importing('products', text);
    expect(report?.rows).toEqual([
      {
        line: 4,
        path: 'productCode',
        reason: 'duplicate_row',
        message: '06901234567892 stands in line 2 and in line 4',
      },
    ]);
    expect(await products()).toEqual([]);
  });

  const refusedByRules =
    'productCode,productName,supplierCode,udiDi\nA,One,,DI-1\nB,Two,NOBODY,\nC,Three,,DI-1\nD,Four,,\n';
  const ruleRefusals = [
    {
      line: 3,
      path: 'supplierCode',
      reason: 'unknown_reference',
      message: 'Supplier NOBODY does not exist. Create it with PUT /v2/partners/NOBODY.',
    },
    { line: 4, path: 'udiDi', reason: 'udi_di_taken', message: expect.any(String) },
  ];

  it('writes nothing at all when a business rule refuses a row', async () => {
    const { report, exitCode } = await importing('products', refusedByRules);
    expect(exitCode).toBe(1);
    expect(report).toEqual({
      created: 0,
      updated: 0,
      refused: 2,
      rows: ruleRefusals,
      written: false,
      encoding: 'UTF-8',
    });
    expect(await products()).toEqual([]);
  });

  it('writes the good rows with --partial and reports the others', async () => {
    const { report, exitCode } = await importing(
      'products',
      `${refusedByRules}D,Again,,\nE,,,\nF,Six,,\n`,
      '--partial',
    );
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ created: 3, updated: 0, refused: 4, written: true });
    expect(report?.rows.map((row) => [row.line, row.reason])).toEqual([
      [3, 'unknown_reference'],
      [4, 'udi_di_taken'],
      [6, 'duplicate_row'],
      [7, 'required'],
    ]);
    expect((await products()).map((p) => p.code)).toEqual(['A', 'D', 'F']);
  });

  it('takes back the thousand rows already written when a later one is refused', async () => {
    // Rows are written by the thousand.
    const count = sized(1_050, 2_500);
    const rows = Array.from({ length: count }, (_, i) => `P-${i},Product ${i},\n`).join('');
    const text = `productCode,productName,supplierCode\n${rows}Z,Last,NOBODY\n`;
    expect((await importing('products', text)).report).toMatchObject({
      refused: 1,
      rows: [{ line: count + 2 }],
    });
    expect(await products()).toEqual([]);
    expect((await importing('products', text, '--partial')).report).toMatchObject({
      created: count,
      refused: 1,
    });
  });

  it('asks for patience while another file is being imported, and writes nothing', async () => {
    const text = 'productCode,productName\nA,One\n';
    const other = new pg.Client({ connectionString: db.url });
    await other.connect();
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock(hashtext('import'), hashtext($1))`, [orgId]);
    expect(await importing('products', text)).toMatchObject({
      report: null,
      err: expect.stringContaining('Another file is being imported'),
      exitCode: 1,
    });
    await other.end();
    expect(await importing('products', text)).toMatchObject({ report: { created: 1 }, exitCode: 0 });
  });

  it('goes on while a file of another organization is being imported', async () => {
    const other = new pg.Client({ connectionString: db.url });
    await other.connect();
    await other.query(
      'begin; lock table lotward.products, lotward.certificates in share update exclusive mode',
    );
    const text = 'productCode,productName\nA,One\n';
    expect(await importing('products', text)).toMatchObject({ report: { created: 1 }, exitCode: 0 });
    await other.end();
  });

  it('shows a person the first twenty refusals and how many more there are', async () => {
    const file = fileOf(
      `productCode,productName\n${Array.from({ length: 25 }, (_, i) => `P-${i},\n`).join('')}`,
    );
    const { out, exitCode } = await lotward('import', 'products', file, '--org', org);
    expect(exitCode).toBe(1);
    expect(out).toContain('nothing was written, 25 rows were refused');
    expect(out).toContain('line 21, productName: is required (required)');
    expect(out).not.toContain('line 22,');
    expect(out).toContain('and 5 more');
  });
});
