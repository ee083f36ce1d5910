import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService } from '../../test/harness/index.js';

interface Product {
  id: string;
  productCode: string;
  productName: string;
  udiDi: string | null;
  updatedAt: string;
  [field: string]: unknown;
}
interface Page {
  items: Product[];
  nextCursor: string | null;
}

const defaults = {
  specification: null,
  model: null,
  manufacturer: null,
  category: null,
  riskClass: null,
  udiDi: null,
  packaging: [],
  registrationNo: null,
  unit: null,
  storage: { temperatureMin: null, temperatureMax: null, humidityMin: null, humidityMax: null },
  sterile: false,
  implantable: false,
  tracking: 'batch',
  shelfLifeDays: null,
  safetyStock: 0,
  nearExpiryDays: 180,
  supplierCode: null,
  status: 'active',
};

const complete = {
  productName: '冠状动脉药物洗脱支架系统 Ø3.0×18 mm',
  specification: '3.0×18 mm',
  model: 'CS-3018',
  manufacturer: 'Écho Médical SA',
  category: 'Cardiology',
  riskClass: 'III',
  udiDi: '00012345600012',
  packaging: [
    { udiDi: '10614141543219', level: 'box', quantity: 10 },
    { udiDi: 'CASE-1', level: 'case', quantity: 200 },
  ],
  registrationNo: '国械注准20263130001',
  unit: 'piece',
  storage: { temperatureMin: -2.5, temperatureMax: 25, humidityMin: 0, humidityMax: 80.25 },
  sterile: true,
  implantable: true,
  tracking: 'serial',
  shelfLifeDays: 730,
  safetyStock: 12,
  nearExpiryDays: 0,
  supplierCode: 'SUP-1',
  status: 'suspended',
};

describe('products', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  const put = (code: string, body: object, key?: string) =>
    service.call<Product>('PUT', `/v2/products/${encodeURIComponent(code)}`, body, key);
  const get = (code: string, key?: string) =>
    service.call<Product>('GET', `/v2/products/${encodeURIComponent(code)}`, undefined, key);
  const auditOf = (code: string) =>
    service.db.sql<{ action: string; before: unknown; after: unknown; actor: string }>(
      `select action, before, after, actor from audit_entries
       where entity_type = 'product' and entity_id = $1 order by entry_id`,
      [code],
    );

  beforeAll(async () => {
    service = await openTestService();
  });
  afterAll(() => service.close());

  it('need no more than a name: everything else has its default, and is always present', async () => {
    const { status, data } = await put('MIN-1', { productName: 'Bare' });
    expect(status).toBe(200);
    expect(data).toEqual({
      ...defaults,
      id: expect.stringMatching(/^prd_[0-9a-z]{26}$/),
      productCode: 'MIN-1',
      productName: 'Bare',
      version: 1,
      updatedAt: '2026-11-15T10:00:00.000Z',
    });
    expect((await get('MIN-1')).data).toEqual(data);
    expect((await get(data.id)).data).toEqual(data);
  });

  it('keep every field as it was given, and what was read can be put back unchanged', async () => {
    const first = await put('FULL-1', complete);
    expect(first.data).toEqual({
      ...complete,
      id: first.data.id,
      productCode: 'FULL-1',
      version: 1,
      updatedAt: first.data.updatedAt,
    });
    const read = await get('FULL-1');
    expect(read.data).toEqual(first.data);
    service.db.clock.advance(1_000);
    const again = await put('FULL-1', read.data);
    expect(again.data).toEqual(read.data);
    expect((await put(read.data.id, read.data)).data).toEqual(read.data);
    expect((await get('FULL-1')).data).toEqual(read.data);
  });

  it('are replaced whole: what is not said again, or said to be null, falls back to its default', async () => {
    await put('RESET-1', { ...complete, udiDi: 'U-1', packaging: [], tracking: 'batch' });
    const bare = await put('RESET-1', { productName: 'Bare' });
    expect(bare.data).toMatchObject({ ...defaults, productName: 'Bare' });
    await put('RESET-1', { ...complete, udiDi: 'U-1', packaging: [], tracking: 'batch' });
    const nullable = Object.entries(defaults).filter(([, value]) => value === null);
    const nulled = await put('RESET-1', {
      productName: 'Bare',
      ...Object.fromEntries(nullable),
      storage: null,
    });
    expect(nulled.data).toMatchObject({ ...defaults, productName: 'Bare' });
    expect((await get('RESET-1')).data).toEqual(nulled.data);
  });

  it('write an audit entry each time, with what was and what is', async () => {
    const { data: first } = await put('AUD-1', { productName: 'One' });
    service.db.clock.advance(1_000);
    const { data: second } = await put('AUD-1', { productName: 'Two' });
    const actor = `owner@${service.org.organization.code}.example`;
    expect(await auditOf('AUD-1')).toEqual([
      { action: 'product.put', before: null, after: first, actor },
      { action: 'product.put', before: first, after: second, actor },
    ]);
  });

  it('are named by id or code; an unknown one, or one of another organization, is 404', async () => {
    const stranger = await newOrganization(service.db);
    const { data: theirs } = await put('THEIRS', { productName: 'Theirs' }, stranger.key);
    for (const name of ['NOPE', 'THEIRS', theirs.id, 'prd_00000000000000000000000000']) {
      expect([name, (await get(name)).status]).toEqual([name, 404]);
    }
    // Only a code can name a new product.
    expect((await put(theirs.id, { productName: 'Mine' })).code).toBe(1004);
    expect((await put('prd_00000000000000000000000000', { productName: 'New' })).code).toBe(1004);
    expect((await get('THEIRS', stranger.key)).data).toEqual(theirs);
  });

  it('take codes with any printable characters', async () => {
    for (const code of ['A/B 1', '耗材-01', 'ü%_', 'a.b', '..x']) {
      expect([code, (await put(code, { productName: 'Odd' })).data.productCode]).toEqual([code, code]);
      expect((await get(code)).data.productCode).toBe(code);
    }
  });

  it('refuse what they cannot keep, naming the field', async () => {
    await service.call('PUT', '/v2/partners/CUST-1', { name: 'Ward', roles: ['customer'] });
    const refusals: [body: object, reason: string, path: string][] = [
      [{}, 'required', '/productName'],
      [{ productName: '' }, 'bad_length', '/productName'],
      [{ productName: ' padded' }, 'bad_format', '/productName'],
      [{ productName: 'x'.repeat(301) }, 'bad_length', '/productName'],
      [{ productName: 'X', colour: 'red' }, 'unknown_field', '/colour'],
      [{ productName: 'X', riskClass: 'IV' }, 'not_allowed', '/riskClass'],
      [{ productName: 'X', tracking: null }, 'wrong_type', '/tracking'],
      [{ productName: 'X', safetyStock: -1 }, 'out_of_range', '/safetyStock'],
      [{ productName: 'X', safetyStock: 1.5 }, 'wrong_type', '/safetyStock'],
      [{ productName: 'X', safetyStock: '1' }, 'wrong_type', '/safetyStock'],
      [{ productName: 'X', shelfLifeDays: 0 }, 'out_of_range', '/shelfLifeDays'],
      [{ productName: 'X', packaging: [{ udiDi: 'A', level: 'box' }] }, 'required', '/packaging/0/quantity'],
      [
        { productName: 'X', packaging: [{ udiDi: 'A', level: 'box', quantity: 0 }] },
        'out_of_range',
        '/packaging/0/quantity',
      ],
      [{ productName: 'X', storage: { warm: 1 } }, 'unknown_field', '/storage/warm'],
      [
        { productName: 'X', storage: { temperatureMin: 8, temperatureMax: 2 } },
        'range_crossed',
        '/storage/temperatureMin',
      ],
      [
        { productName: 'X', storage: { humidityMin: 80, humidityMax: 20 } },
        'range_crossed',
        '/storage/humidityMin',
      ],
      [{ productName: 'X', productCode: 'OTHER' }, 'code_mismatch', '/productCode'],
      [{ productName: 'X', supplierCode: 'NOPE' }, 'unknown_reference', '/supplierCode'],
      [{ productName: 'X', supplierCode: 'CUST-1' }, 'wrong_partner_role', '/supplierCode'],
    ];
    for (const [body, reason, path] of refusals) {
      const answer = await put('BAD-1', body);
      expect([answer.status, answer.code, answer.reason, answer.json.errors[0]?.path]).toEqual([
        400,
        1001,
        reason,
        path,
      ]);
    }
    expect((await get('BAD-1')).status).toBe(404);
    expect(await auditOf('BAD-1')).toEqual([]);
  });

  describe('device identifiers', () => {
    it('stand for one thing in an organization, whichever product or package names it', async () => {
      await put('DI-1', {
        productName: 'One',
        udiDi: '4006381333931',
        packaging: [{ udiDi: 'BOX-1', level: 'box', quantity: 5 }],
      });
      expect((await get('DI-1')).data.udiDi).toBe('04006381333931');
      const taken: [body: object, path: string][] = [
        [{ udiDi: '04006381333931' }, '/udiDi'],
        [{ udiDi: 'BOX-1' }, '/udiDi'],
        [{ packaging: [{ udiDi: 'BOX-1', level: 'box', quantity: 1 }] }, '/packaging/0/udiDi'],
        [
          {
            packaging: [
              { udiDi: 'BOX-2', level: 'box', quantity: 1 },
              { udiDi: '4006381333931', level: 'case', quantity: 1 },
            ],
          },
          '/packaging/1/udiDi',
        ],
        // A GTIN product code is a device identifier too.
        [{ packaging: [{ udiDi: GTIN.slice(1), level: 'box', quantity: 1 }] }, '/packaging/0/udiDi'],
        // The same one twice in one product.
        [{ udiDi: 'TWICE', packaging: [{ udiDi: 'TWICE', level: 'box', quantity: 2 }] }, '/packaging'],
      ];
      for (const [body, path] of taken) {
        const answer = await put('DI-2', { productName: 'Two', ...body });
        expect([answer.reason, answer.json.errors[0]?.path]).toEqual(['udi_di_taken', path]);
      }
      expect((await get('DI-2')).status).toBe(404);
    });

    it('are free again when their product gives them up, and may change places within it', async () => {
      await put('DI-3', { productName: 'Three', packaging: [{ udiDi: 'P-1', level: 'box', quantity: 5 }] });
      await put('DI-3', { productName: 'Three', udiDi: 'P-1', packaging: [] });
      await put('DI-3', { productName: 'Three' });
      expect((await put('DI-4', { productName: 'Four', udiDi: 'P-1' })).data.udiDi).toBe('P-1');
    });

    it('are the same word for different things in two organizations', async () => {
      const other = await newOrganization(service.db);
      await put('DI-5', { productName: 'Five', udiDi: 'SHARED' });
      expect((await put('DI-5', { productName: 'Five', udiDi: 'SHARED' }, other.key)).status).toBe(200);
    });

    it('go to one of two products that ask for the same at once; the other is refused, not broken', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          put(`RACE-${i}`, { productName: `Race ${i}`, udiDi: 'CONTESTED' }),
        ),
      );
      expect(answers.map((answer) => answer.reason ?? answer.status).sort()).toEqual(
        [200, ...Array.from({ length: 7 }, () => 'udi_di_taken')].sort(),
      );
    });
  });

  describe('how a product is tracked', () => {
    const stock = (quantityDelta: number, extra: object) =>
      service.call('POST', '/v2/stock/adjustments', {
        productCode: 'TRACK-1',
        warehouse: 'WH-1',
        quantityDelta,
        reason: 'count',
        ...extra,
      });

    it('cannot change while there is stock, and can when there is none left', async () => {
      await put('TRACK-1', { productName: 'Tracked', tracking: 'batch' });
      expect((await stock(3, { batchNo: 'B1', expiryDate: null })).status).toBe(200);
      for (const tracking of ['none', 'serial']) {
        const answer = await put('TRACK-1', { productName: 'Tracked', tracking });
        expect([answer.status, answer.reason]).toEqual([400, 'tracking_in_use']);
      }
      expect((await put('TRACK-1', { productName: 'Renamed' })).status).toBe(200);
      await stock(-3, { batchNo: 'B1' });
      expect((await put('TRACK-1', { productName: 'Tracked', tracking: 'serial' })).status).toBe(200);
      expect((await stock(1, { batchNo: 'B1', serials: ['S1'] })).status).toBe(200);
      expect((await put('TRACK-1', { productName: 'Tracked', tracking: 'batch' })).reason).toBe(
        'tracking_in_use',
      );
    });
  });

  it('several writers at once make one product: one creation, each replacement of what was there', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `Writer ${i}`);
    const answers = await Promise.all(names.map((productName) => put('CROWD-1', { productName })));
    expect(answers.map((answer) => answer.status)).toEqual(names.map(() => 200));
    expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(1);
    const entries = await auditOf('CROWD-1');
    // Each entry's `before` is another entry's `after`: nobody replaced what they had not seen.
    const nameIn = (value: unknown) => (value as Product | null)?.productName ?? null;
    const last = (await get('CROWD-1')).data.productName;
    expect(entries.map((entry) => nameIn(entry.before)).sort()).toEqual(
      [null, ...names.filter((name) => name !== last)].sort(),
    );
  });

  describe('the list', () => {
    const list = (query: string) => service.call<Page>('GET', `/v2/products${query}`);
    const codes = async (query: string) => (await list(query)).data.items.map((item) => item.productCode);

    beforeAll(async () => {
      service.db.clock.set('2026-12-01T00:00:00.000Z');
      const made: [string, object][] = [
        [
          'L-1',
          { productName: 'Stent ALPHA 100%', category: 'listed', manufacturer: 'M1', riskClass: 'III' },
        ],
        ['L-2', { productName: 'stent beta 1000', category: 'listed', manufacturer: 'M1', riskClass: 'II' }],
        [
          'L-3',
          { productName: '一次性使用无菌注射器', category: 'listed', manufacturer: 'M2', riskClass: 'III' },
        ],
        ['L-4', { productName: 'ÉCRAN de protection a_b', category: 'listed', status: 'discontinued' }],
        ['L-5', { productName: 'Ecran axb \\ back', category: 'listed', status: 'suspended' }],
        ['L-6', { productName: 'Ｓｔｅｎｔ 全角', category: 'listed' }],
      ];
      for (const [code, body] of made) {
        service.db.clock.advance(60_000);
        await put(code, body);
      }
    });

    it.each([
      ['category=listed', ['L-1', 'L-2', 'L-3', 'L-4', 'L-5', 'L-6']],
      ['productCode=L-2', ['L-2']],
      ['productCode=l-2', []],
      ['category=listed&manufacturer=M1', ['L-1', 'L-2']],
      ['category=listed&riskClass=III', ['L-1', 'L-3']],
      ['category=listed&status=discontinued', ['L-4']],
      ['category=listed&status=active', ['L-1', 'L-2', 'L-3', 'L-6']],
      ['updatedSince=2026-12-01T00:05:00Z', ['L-5', 'L-6']],
      ['updatedSince=2026-12-01T00:05:00.001Z', ['L-6']],
      ['category=listed&manufacturer=M1&riskClass=III&status=active&name=alpha&productCode=L-1', ['L-1']],
      ['category=listed&manufacturer=M1&riskClass=I', []],
      ['category=listed&name=STENT', ['L-1', 'L-2', 'L-6']],
      ['category=listed&name=stent', ['L-1', 'L-2', 'L-6']],
      ['category=listed&name=100%25', ['L-1']],
      ['category=listed&name=%25', ['L-1']],
      ['category=listed&name=%EF%BC%85', ['L-1']],
      ['category=listed&name=a_b', ['L-4']],
      ['category=listed&name=_', ['L-4']],
      ['category=listed&name=%5C', ['L-5']],
      ['category=listed&name=x', ['L-5']],
      ['category=listed&name=%C3%A9cran', ['L-4']],
      ['category=listed&name=%C3%89', ['L-4']],
      [`category=listed&name=${encodeURIComponent('注射器')}`, ['L-3']],
      [`category=listed&name=${encodeURIComponent('无菌')}`, ['L-3']],
      [`category=listed&name=${encodeURIComponent('角')}`, ['L-6']],
      [`category=listed&name=${encodeURIComponent('ＳＴ')}`, ['L-1', 'L-2', 'L-6']],
      ['category=listed&name=%20beta%20', ['L-2']],
    ])('by %s', async (query, expected) => {
      expect(await codes(`?${query}`)).toEqual(expected);
    });

    it('comes in code order, page by page, each product once', async () => {
      const all = await codes('?limit=200');
      expect(all).toEqual([...all].sort());
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Page = (await list(`?limit=4${cursor === null ? '' : `&cursor=${cursor}`}`)).data;
        seen.push(...page.items.map((item) => item.productCode));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(all);
    });

    it('shows each product as its detail does', async () => {
      const [item] = (await list('?productCode=FULL-1')).data.items;
      expect(item).toEqual((await get('FULL-1')).data);
    });

    it('refuses conditions it does not know or cannot read', async () => {
      const refusals = [
        ['?name=', 'bad_length'],
        ['?riskClass=iv', 'not_allowed'],
        ['?updatedSince=yesterday', 'bad_format'],
        ['?updatedSince=2026-02-30T00:00:00Z', 'bad_format'],
        ['?sort=name', 'not_allowed'],
        ['?cursor=e30', 'bad_cursor'],
      ] as const;
      for (const [query, reason] of refusals)
        expect([query, (await list(query)).reason]).toEqual([query, reason]);
    });
  });
});
