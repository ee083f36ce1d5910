import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  GTIN,
  newOrganization,
  openTestService,
  stockCatalogue,
  type TestOrganization,
} from '../../test/harness/index.js';
import { SCOPES } from '../access/index.js';
import { removeOldImports, runImports } from './index.js';

interface Report {
  importId: string;
  status: string;
  stoppedReason: string | null;
  stoppedMessage: string | null;
  progress: { rows: number | null; done: number };
  accepted: number;
  created: number;
  updated: number;
  refusedCount: number;
  refused: { line: number; errors: { path: string | null; reason: string; message: string }[] }[];
  finishedAt: string | null;
}

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

let org: TestOrganization;
beforeEach(async () => {
  org = await newOrganization(service.db);
  await stockCatalogue(service.api, org.key);
});

const failures: unknown[] = [];
const run = () => runImports(service.db.database, { onError: (error) => failures.push(error) });
const call = <D = Report>(method: string, path: string, body?: unknown, key = org.key): Promise<Answer<D>> =>
  service.api.call<D>(method, path, body, key);
const send = (kind: string, content: string, more: object = {}, key = org.key) =>
  call('POST', '/v2/imports', { kind, format: 'csv', content, ...more }, key);
const read = async (importId: string) => (await call('GET', `/v2/imports/${importId}`)).data;
/** Sends a file and has it carried out. */
async function importing(kind: string, content: string, more: object = {}): Promise<Report> {
  const { data, status, text } = await send(kind, content, more);
  expect(status, text).toBe(200);
  expect(data).toMatchObject({ status: 'queued', progress: { rows: null, done: 0 } });
  await run();
  return read(data.importId);
}
const reasonsOf = (report: Report) =>
  report.refused.map(({ line, errors }) => [line, ...errors.map((each) => `${each.path} ${each.reason}`)]);
const stockOf = async (productCode: string) =>
  (
    await service.db.sql<{ warehouse: string; batch: string; quantity: number }>(
      `select warehouse, batch_no as batch, quantity from balances where org_id = $1 and product_code = $2 order by 1, 2`,
      [org.organization.orgId, productCode],
    )
  ).map(({ warehouse, batch, quantity }) => [warehouse, batch, quantity]);
const countOf = async (table: string) =>
  (
    await service.db.sql<{ n: number }>(`select count(*)::int as n from ${table} where org_id = $1`, [
      org.organization.orgId,
    ])
  )[0]?.n;

const OPENING = 'productCode,warehouse,batchNo,quantity,expiryDate';

describe('a file of each kind', () => {
  it('of products creates and replaces, and the audit names the credential and the import', async () => {
    const report = await importing(
      'products',
      `\uFEFFproductCode;productName;storage.temperatureMin\r\n${GTIN};"Stent; new";2.5\r\nNEW-1;New;\r\n`,
    );
    expect(report).toMatchObject({
      ...{ status: 'done', accepted: 2, created: 1, updated: 1, refusedCount: 0, refused: [] },
      progress: { rows: 2, done: 2 },
    });
    expect((await call<object>('GET', `/v2/products/${GTIN}`)).data).toMatchObject({
      productName: 'Stent; new',
      storage: { temperatureMin: 2.5 },
    });
    expect(
      await service.db.sql(
        `select entity_id as id, actor, credential_id as credential, request_id as request from audit_entries
         where org_id = $1 and request_id = $2 order by entity_id`,
        [org.organization.orgId, report.importId],
      ),
    ).toMatchObject([GTIN, 'NEW-1'].map((id) => ({ id, credential: org.keyId, request: report.importId })));
  });

  it('of partners as JSON lines: a refused line does not stop the others', async () => {
    const lines = [
      '{"code":"P-1","name":"One","roles":["customer"],"addresses":[{"code":"W","name":"Ward"}]}',
      '',
      '{"code":"P-2","name":"Two"',
      '[]',
      '{"code":"P-3","name":"Three","roles":["nobody"],"colour":"red"}',
      '{"code":{},"name":"Four","roles":["customer"]}',
      '{"code":"P-1","name":"Again","roles":["customer"]}',
      '{"code":"P-5","name":"Five","roles":["supplier"],"__proto__":{}}',
      '{"code":"P-6","name":"Six","roles":["supplier"]}',
    ];
    const report = await importing('partners', `${lines.join('\r\n')}\r\n`, { format: 'ndjson' });
    expect(report).toMatchObject({
      status: 'done',
      created: 2,
      refusedCount: 6,
      progress: { rows: 8, done: 8 },
    });
    expect(reasonsOf(report)).toEqual([
      [3, 'null bad_json'],
      [4, 'null wrong_type'],
      [5, '/colour unknown_field', '/roles/0 not_allowed'],
      [6, '/code wrong_type', '/code wrong_type'],
      [7, '/code duplicate_row'],
      [8, '/__proto__ unknown_field'],
    ]);
  });

  it('of partners keeps the addresses of those it says nothing about', async () => {
    const ward = { code: 'W', name: 'Ward' };
    const put = { name: 'Before', roles: ['customer'], addresses: [ward] };
    for (const code of ['KEPT-1', 'KEPT-2'])
      expect((await call('PUT', `/v2/partners/${code}`, put)).status).toBe(200);
    await importing('partners', 'code,name,roles\nKEPT-1,After,customer\n');
    await importing('partners', '{"code":"KEPT-2","name":"After","roles":["customer"],"addresses":[]}\n', {
      format: 'ndjson',
    });
    expect((await call('GET', '/v2/partners/KEPT-1')).data).toMatchObject({
      name: 'After',
      addresses: [ward],
    });
    expect((await call('GET', '/v2/partners/KEPT-2')).data).toMatchObject({ name: 'After', addresses: [] });
  });

  it('of certificates', async () => {
    const report = await importing(
      'certificates',
      'certificateNo,type,issuer,subjectType,subjectCode,validFrom\nL-1,licence,Office,supplier,SUP-1,2026-01-01\nL-2,licence,Office,supplier,NOBODY,2026-01-01\n',
    );
    expect(report).toMatchObject({ created: 1, refusedCount: 1 });
    expect(reasonsOf(report)).toEqual([[3, '/subjectCode unknown_reference']]);
  });

  it('of opening stock, which a file imported again does not add a second time', async () => {
    const rows = [
      `${GTIN},WH-1,B1,10,2030-01-01,`,
      `${GTIN},WH-2,B1,5,2030-01-01,`,
      'GLOVE-1,WH-1,,7,,',
      'PUMP-1,WH-1,P,2,none,S-1;S-2',
      `${GTIN},WH-9,B2,1,2030-01-01,`,
      `${GTIN},WH-1,B3,1,,`,
      `${GTIN},WH-1,B1,1,2030-01-01,`,
      `${GTIN},WH-1,B4,0,2030-01-01,`,
    ];
    const content = `${OPENING},serials\n${rows.join('\n')}\n`;
    const report = await importing('opening_stock', content);
    expect(report).toMatchObject({ created: 4, refusedCount: 4 });
    expect(reasonsOf(report)).toEqual([
      [6, '/warehouse unknown_reference'],
      [7, '/expiryDate expiry_date_required'],
      [8, '/productCode duplicate_row'],
      [9, '/quantity out_of_range'],
    ]);
    const again = await importing('opening_stock', content);
    expect(again).toMatchObject({ created: 0, refusedCount: 8 });
    expect(reasonsOf(again)[0]).toEqual([2, '/batchNo already_stocked']);
    expect(await stockOf(GTIN)).toEqual([
      ['WH-1', 'B1', 10],
      ['WH-2', 'B1', 5],
    ]);
    expect(await stockOf('GLOVE-1')).toEqual([['WH-1', '', 7]]);
    expect(await stockOf('PUMP-1')).toEqual([['WH-1', 'P', 2]]);
  });
});

describe('an import', () => {
  it('names the line on which a row begins, also after cells with line breaks', async () => {
    const report = await importing(
      'partners',
      'code,name,roles\r\nA,"two\r\nlines",customer\r\n\r\nB,,customer\r\nC,"one\ntwo\nthree",customer\r\nD,Name\r\n',
    );
    expect(reasonsOf(report)).toEqual([
      [5, '/name required'],
      [9, 'null wrong_cell_count'],
    ]);
  });

  it('is tried without writing anything: what would be refused is the same', async () => {
    const content = `${OPENING}\n${GTIN},WH-1,B1,10,2030-01-01\nNOTHING,WH-1,B1,10,2030-01-01\n`;
    const before = [await countOf('movements'), await countOf('audit_entries')];
    const trial = await importing('opening_stock', content, { dryRun: true });
    expect(trial).toMatchObject({ status: 'done', dryRun: true, accepted: 1, refusedCount: 1 });
    // The only new entry is about the import itself.
    expect([await countOf('movements'), await countOf('audit_entries')]).toEqual([
      before[0],
      (before[1] ?? 0) + 1,
    ]);
    expect(await stockOf(GTIN)).toEqual([]);
    const real = await importing('opening_stock', content);
    expect(real.refused).toEqual(trial.refused);
    expect(await stockOf(GTIN)).toEqual([['WH-1', 'B1', 10]]);
  });

  it('whose database refuses a row loses only that row', async () => {
    await service.db.sql(
      `alter table movements add constraint refuse_seven check (quantity <> 7007) not valid`,
    );
    const report = await importing(
      'opening_stock',
      `${OPENING}\n${GTIN},WH-1,B1,1,2030-01-01\n${GTIN},WH-1,B2,7007,2030-01-01\n${GTIN},WH-1,B3,3,2030-01-01\n`,
    );
    await service.db.sql('alter table movements drop constraint refuse_seven');
    expect(reasonsOf(report)).toEqual([[3, 'null row_failed']]);
    expect(await stockOf(GTIN)).toEqual([
      ['WH-1', 'B1', 1],
      ['WH-1', 'B3', 3],
    ]);
  });

  it('stops where its credential was revoked or has lost the scope, and says so', async () => {
    for (const end of [
      (keyId: string) => call('POST', `/v2/settings/keys/${keyId}/revoke`, {}),
      (keyId: string) =>
        service.db.sql(`update api_keys set scopes = '{products:read}' where key_id = $1`, [keyId]),
    ]) {
      const { apiKey, keyId } = await org.newKey({ scopes: ['products:write'] });
      const { data } = await send('products', 'productCode,productName\nX-1,X\n', {}, apiKey);
      await end(keyId);
      await run();
      expect(await read(data.importId)).toMatchObject({
        ...{ status: 'stopped', stoppedReason: 'credential_ended', accepted: 0 },
        progress: { rows: null, done: 0 },
      });
    }
    expect(await countOf('import_parts')).toBe(0);
  });

  it('waits while its organization is suspended', async () => {
    const { data } = await send('products', 'productCode,productName\nX-1,X\n');
    const become = (status: string) =>
      service.db.sql('update organizations set status = $2 where org_id = $1', [
        org.organization.orgId,
        status,
      ]);
    await become('suspended');
    await run();
    const statusOf = async () =>
      (
        await service.db.sql<{ status: string }>('select status from imports where import_id = $1', [
          data.importId,
        ])
      )[0]?.status;
    expect(await statusOf()).toBe('queued');
    await become('active');
    await run();
    expect(await statusOf()).toBe('done');
  });

  it('can be cancelled until it has ended', async () => {
    const { data } = await send('products', 'productCode,productName\nX-1,X\n');
    const cancel = () => call('POST', `/v2/imports/${data.importId}/cancel`, {});
    expect((await cancel()).data).toMatchObject({ status: 'cancelled', finishedAt: expect.any(String) });
    expect((await cancel()).reason).toBe('import_ended');
    await run();
    expect(await read(data.importId)).toMatchObject({ status: 'cancelled', accepted: 0 });
    expect(await countOf('import_parts')).toBe(0);
  });

  it('is removed thirty days after its end, with its report', async () => {
    const { importId } = await importing('products', 'productCode,productName\nX-1,\n');
    expect(await countOf('import_refusals')).toBe(1);
    const stays = async () => {
      await removeOldImports(service.db.database);
      return (await call('GET', `/v2/imports/${importId}`)).status;
    };
    expect(await stays()).toBe(200);
    await service.db.sql(`update imports set finished_at = $2 where import_id = $1`, [
      importId,
      new Date(service.db.clock.now().getTime() - 31 * 86_400_000),
    ]);
    expect(await stays()).toBe(404);
    expect(await countOf('import_refusals')).toBe(0);
  });

  it('whose file cannot be read to its end, or has too many rows, writes nothing and stops', async () => {
    const report = await importing(
      'products',
      `productCode,productName\n${'A,B\n'.repeat(2)}C,"not closed\n`,
    );
    expect(report).toMatchObject({
      status: 'stopped',
      stoppedReason: 'unreadable_csv',
      accepted: 0,
      refusedCount: 0,
    });
    expect(report.stoppedMessage).toMatch(/Quote Not Closed.*line 4/);
    const many = await importing('partners', '{}\n'.repeat(50_001), { format: 'ndjson' });
    expect(many).toMatchObject({ status: 'stopped', stoppedReason: 'file_too_long', refusedCount: 0 });
  });
});

describe('POST /v2/imports', () => {
  it.each([
    ['no header', 'csv', '\n\n', 'no_rows'],
    ['only a header', 'csv', 'productCode,productName\n', 'no_rows'],
    ['no lines', 'ndjson', '\n \n', 'no_rows'],
    ['an unknown column', 'csv', 'productCode,productName,colour\nA,B,C\n', 'unknown_column'],
    ['a column twice', 'csv', 'productCode,productName,productName\nA,B,C\n', 'duplicate_column'],
    ['a column missing', 'csv', 'productCode\nA\n', 'missing_column'],
    ['an endless cell', 'csv', `productCode,productName\nA,"${'x'.repeat(1_100_000)}`, 'unreadable_csv'],
    ['too many bytes', 'csv', `productCode,productName\n${'医'.repeat(1_800_000)}`, 'bad_length'],
    ['too many characters', 'csv', 'x'.repeat(5_300_000), 'bad_length'],
    ['a line of megabytes', 'ndjson', 'x'.repeat(11_000_000), 'body_too_large'],
    ['an unknown format', 'xlsx', 'x', 'not_allowed'],
  ])('refuses a file with %s at once', async (_what, format, content, reason) => {
    const answer = await send('products', content, { format });
    expect([answer.status, answer.reason]).toEqual([400, reason]);
    expect(await countOf('imports')).toBe(0);
  });

  it('needs the scope of the kind, as does everything about the import', async () => {
    const withOnly = async (...scopes: (typeof SCOPES)[number][]) => (await org.newKey({ scopes })).apiKey;
    const files = {
      products: ['products:write', 'productCode,productName\nX-1,X\n'],
      partners: ['products:write', 'code,name,roles\nX-1,X,customer\n'],
      certificates: [
        'certificates:write',
        'certificateNo,type,issuer,subjectType,subjectCode,validFrom\nL-1,licence,Office,supplier,SUP-1,2026-01-01\n',
      ],
      opening_stock: ['inventory:write', `${OPENING}\nGLOVE-1,WH-1,,7,\n`],
    } as const;
    for (const [kind, [scope, content]] of Object.entries(files)) {
      const others = await withOnly(...SCOPES.filter((each) => each !== scope));
      const refused = await send(kind, content, {}, others);
      expect([refused.status, refused.reason]).toEqual([403, 'scope_missing']);
      const { data } = await send(kind, content, {}, await withOnly(scope));
      for (const [method, path] of [
        ['GET', `/v2/imports/${data.importId}`],
        ['POST', `/v2/imports/${data.importId}/cancel`],
        ['GET', `/exports/imports/${data.importId}/refused.csv`],
        ['GET', `/v2/imports?kind=${kind}`],
      ] as const)
        expect((await call(method, path, method === 'POST' ? {} : undefined, others)).status).toBe(403);
    }
    expect((await call('GET', '/v2/imports', undefined, await withOnly('products:read'))).status).toBe(403);
    const { data } = await call<{ items: { kind: string }[] }>(
      ...(['GET', '/v2/imports', undefined, await withOnly('inventory:write')] as const),
    );
    expect(data.items.map(({ kind }) => kind)).toEqual(['opening_stock']);
  });

  it('is refused while twenty are unfinished, also if many are sent at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 23 }, () => send('products', 'productCode,productName\nX-1,X\n')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.find(({ status }) => status === 400)?.reason).toBe('too_many_imports');
    await run();
    expect((await send('products', 'productCode,productName\nX-1,X\n')).status).toBe(200);
  });

  it('is answered once under an Idempotency-Key', async () => {
    const body = { kind: 'products', format: 'csv', content: 'productCode,productName\nX-1,X\n' };
    const once = () =>
      service.api.call<Report>('POST', '/v2/imports', body, org.key, { 'idempotency-key': 'one' });
    expect((await once()).data.importId).toBe((await once()).data.importId);
    expect(await countOf('imports')).toBe(1);
  });
});

describe('imports of the organization', () => {
  it('are listed newest first, by kind, status, dry run and last change, in pages', async () => {
    const first = await importing('products', 'productCode,productName\nX-1,X\n');
    service.db.clock.advance(1_000);
    const second = await importing('partners', 'code,name,roles\nX-1,X,customer\n', { dryRun: true });
    service.db.clock.advance(1_000);
    const { data: third } = await send('partners', 'code,name,roles\nX-1,X,customer\n');
    const ids = async (query = '') =>
      (await call<{ items: Report[] }>('GET', `/v2/imports${query}`)).data.items.map((item) => item.importId);
    const [a, b, c] = [first.importId, second.importId, third.importId];
    expect(await ids()).toEqual([c, b, a]);
    expect(await ids('?kind=partners')).toEqual([c, b]);
    expect(await ids('?kind=partners&kind=products&status=done')).toEqual([b, a]);
    expect(await ids('?status=queued')).toEqual([c]);
    expect(await ids('?dryRun=true')).toEqual([b]);
    const since = new Date(service.db.clock.now().getTime() - 1_000).toISOString();
    expect(await ids(`?updatedSince=${since}&sort=updatedAt`)).toEqual([b, c]);
    const page = await call<{ items: Report[]; nextCursor: string }>('GET', '/v2/imports?limit=2');
    expect(await ids(`?limit=2&cursor=${page.data.nextCursor}`)).toEqual([a]);
    expect((await call('GET', '/v2/imports?status=lost')).reason).toBe('not_allowed');
  });

  it('are not found by another organization', async () => {
    const { importId } = await importing('products', 'productCode,productName\nX-1,X\n');
    const { key } = await newOrganization(service.db);
    for (const [method, path] of [
      ['GET', `/v2/imports/${importId}`],
      ['POST', `/v2/imports/${importId}/cancel`],
      ['GET', `/exports/imports/${importId}/refused.csv`],
    ] as const)
      expect((await call(method, path, method === 'POST' ? {} : undefined, key)).status).toBe(404);
    expect((await call<{ items: [] }>('GET', '/v2/imports', undefined, key)).data.items).toEqual([]);
    expect((await service.api.call('GET', '/v2/imports')).status).toBe(401);
  });

  it('report refused rows as CSV in which no cell is a formula', async () => {
    const { importId } = await importing(
      'partners',
      'code,name,roles,contact.email\n=cmd|1,,customer,\nA,B,"=HYPERLINK(""x"")",\n=cmd|1,X,customer,\n',
    );
    const { text, headers } = await call('GET', `/exports/imports/${importId}/refused.csv`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = text.split('\r\n');
    expect(lines[0]).toBe('line,column,reason,message');
    expect(lines[1]).toBe('2,name,required,is required');
    expect(lines[3]).toMatch(/^4,code,duplicate_row,'=cmd\|1 stands in line 2 and in line 4$/);
    expect(text).not.toMatch(/(^|,)"?=/m);
  });
});
