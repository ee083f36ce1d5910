import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newSession, openTestService } from '../harness/index.js';

interface Record {
  version: number;
  updatedAt: string;
  [field: string]: unknown;
}

let service: Awaited<ReturnType<typeof openTestService>>;
let console: { [header: string]: string };
/** The path of one record of each kind. Those of keys are changed at the console. */
const paths = new Map<string, string>();
beforeAll(async () => {
  service = await openTestService();
  ({ headers: console } = await newSession(service.db, service.org.organization.orgId));
  const licence = { certificateNo: 'L-1', type: 'licence', subjectType: 'supplier', subjectCode: 'SUP-1' };
  const made = await service.call<{ certificateId: string }>('POST', '/v2/certificates', {
    ...licence,
    issuer: 'City',
    validFrom: '2026-01-01',
    validTo: '2028-01-01',
  });
  await service.call('PUT', '/v2/environment/points/P-1', {
    name: 'Cold room',
    warehouse: 'WH-1',
    zone: 'COLD',
  });
  const { keyId } = await service.org.newKey({ scopes: ['products:read'], owner: 'it@acme.example' });
  paths.set('product', `/v2/products/${GTIN}`);
  paths.set('partner', '/v2/partners/SUP-1');
  paths.set('warehouse', '/v2/warehouses/WH-1');
  paths.set('certificate', `/v2/certificates/${made.data.certificateId}`);
  paths.set('point', '/v2/environment/points/P-1');
  paths.set('key', `/v2/settings/keys/${keyId}`);
});
afterAll(() => service.close());

/** A field of each kind, with the value that it has first. */
const FIELDS: [kind: string, field: string][] = [
  ['product', 'productName'],
  ['partner', 'name'],
  ['warehouse', 'name'],
  ['certificate', 'issuer'],
  ['point', 'name'],
  ['key', 'name'],
];

const send = (method: string, kind: string, body?: unknown, headers: { [name: string]: string } = {}) => {
  const path = paths.get(kind) ?? kind;
  return kind === 'key'
    ? service.api.call<Record>(method, path, body, undefined, { ...console, ...headers })
    : service.call<Record>(method, path, body, undefined, headers);
};
const read = async (kind: string) => (await send('GET', kind)).data;
const patch = (kind: string, body: unknown, headers?: { [name: string]: string }) =>
  send('PATCH', kind, body, headers);
const ifMatch = (tag: string | number) => ({ 'if-match': typeof tag === 'number' ? `"${tag}"` : tag });
const audits = async (kind: string) => {
  const id = (paths.get(kind) ?? kind).split('/').at(-1);
  const rows = await service.db.sql<{ count: number }>(
    'select count(*)::int as count from audit_entries where entity_id = $1',
    [id],
  );
  return rows[0]?.count ?? 0;
};

describe.each(FIELDS)('a patch of a %s', (kind, field) => {
  it('changes what it names and nothing else, once, with an entry in the audit trail', async () => {
    const before = await read(kind);
    const entries = await audits(kind);
    service.db.clock.advance(1_000);
    const answer = await patch(kind, { [field]: 'Renamed' }, ifMatch(before.version));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.data).toEqual({
      ...before,
      [field]: 'Renamed',
      version: before.version + 1,
      updatedAt: service.db.clock.now().toISOString(),
    });
    expect(await read(kind)).toEqual(answer.data);
    expect(await audits(kind)).toBe(entries + 1);
  });

  it('that changes nothing leaves version, instant and audit trail as they are', async () => {
    const before = await read(kind);
    const entries = await audits(kind);
    service.db.clock.advance(1_000);
    expect((await patch(kind, {})).data).toEqual(before);
    expect((await patch(kind, { [field]: before[field] })).data).toEqual(before);
    expect(await audits(kind)).toBe(entries);
  });

  it('for a version that is gone is refused, and says the current one', async () => {
    const { version } = await read(kind);
    const answer = await patch(kind, { [field]: 'Late' }, ifMatch(version - 1));
    expect([answer.status, answer.code, answer.reason]).toEqual([400, 1001, 'version_mismatch']);
    expect(answer.json.errors[0]).toMatchObject({
      path: 'If-Match',
      message: expect.stringContaining(`${version}.`),
    });
    expect(await read(kind)).not.toMatchObject({ [field]: 'Late' });
  });

  it('of two at once with the same version, one wins', async () => {
    const { version } = await read(kind);
    const names = ['one', 'two', 'three', 'four'];
    const answers = await Promise.all(names.map((name) => patch(kind, { [field]: name }, ifMatch(version))));
    expect(answers.map(({ status, reason }) => reason ?? status).sort()).toEqual([
      200,
      'version_mismatch',
      'version_mismatch',
      'version_mismatch',
    ]);
    const won = answers.find(({ status }) => status === 200)?.data;
    expect(await read(kind)).toEqual(won);
    expect(won?.version).toBe(version + 1);
  });

  it('takes the ETag of the record in any encoding, a list of tags and *; a weak tag matches nothing', async () => {
    const etagOf = async (encoding?: string) =>
      (await send('GET', kind, undefined, encoding ? { 'accept-encoding': encoding } : {})).headers.get(
        'etag',
      ) ?? '';
    for (const encoding of [undefined, 'gzip', 'br']) {
      const etag = await etagOf(encoding);
      expect((await patch(kind, {}, ifMatch(`W/${etag}`))).reason).toBe('version_mismatch');
      const changed = await patch(kind, { [field]: `as ${encoding}` }, ifMatch(`"999", ${etag}`));
      expect(changed.status, changed.text).toBe(200);
      expect((await patch(kind, {}, ifMatch(etag))).reason).toBe('version_mismatch');
    }
    const { version } = await read(kind);
    expect((await patch(kind, {}, ifMatch('*'))).status).toBe(200);
    expect((await patch(kind, {}, ifMatch(`W/"${version}"`))).reason).toBe('version_mismatch');
    expect((await patch(kind, {}, ifMatch(`"1", "${version}"`))).status).toBe(200);
  });

  it.each(['7', '', '"7', '"7" "8"', 'W/7', '"a b"', '*, "7"', "'7'"])(
    'refuses If-Match: %s',
    async (header) => {
      const answer = await patch(kind, {}, { 'if-match': header });
      expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([
        400,
        'bad_format',
        'If-Match',
      ]);
    },
  );

  it('refuses what the record does not have, null or not, and a body that is no object', async () => {
    for (const colour of ['red', null]) {
      const answer = await patch(kind, { colour });
      expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([
        400,
        'unknown_field',
        '/colour',
      ]);
    }
    expect((await patch(kind, [])).reason).toBe('wrong_type');
    expect((await patch(kind, { [field]: 7 })).reason).toBe('wrong_type');
    expect([400]).toContain((await patch(kind, { [field]: null })).status);
  });
});

describe('a merge patch', () => {
  const product = '/v2/products/MERGED';
  const full = {
    productName: 'Merged',
    model: 'M-1',
    safetyStock: 20,
    sterile: true,
    storage: { temperatureMin: 2, temperatureMax: 8 },
    packaging: [{ udiDi: 'BOX', level: 'box', quantity: 10 }],
  };
  beforeAll(() => send('PUT', product, full));

  it('merges objects, replaces lists, and null removes as leaving it out of a PUT does', async () => {
    const { data } = await patch(product, {
      model: null,
      sterile: null,
      safetyStock: null,
      storage: { temperatureMax: null, humidityMax: 60 },
      packaging: [{ udiDi: 'CASE', level: 'case', quantity: 5 }],
    });
    expect(data).toMatchObject({
      productName: 'Merged',
      model: null,
      sterile: false,
      safetyStock: 0,
      storage: { temperatureMin: 2, temperatureMax: null, humidityMin: null, humidityMax: 60 },
      packaging: [{ udiDi: 'CASE', level: 'case', quantity: 5 }],
    });
    const cleared = await patch(product, { storage: null, packaging: null });
    expect(cleared.data).toMatchObject({
      packaging: [],
      storage: { temperatureMin: null, humidityMax: null },
    });
    await patch('partner', { contact: { phone: '1', email: 'a@b.example' } });
    const contact = await patch('partner', { contact: { email: null } });
    expect(contact.data.contact).toEqual({ name: null, email: null, phone: '1', address: null });
  });

  it('is judged as the whole that it makes', async () => {
    await patch(product, { storage: { temperatureMin: 2, temperatureMax: 8 } });
    const cases: [kind: string, body: object, reason: string, path: string][] = [
      [product, { productName: null }, 'required', '/productName'],
      [product, { storage: { temperatureMax: 1 } }, 'range_crossed', '/storage/temperatureMin'],
      [product, { supplierCode: 'NOBODY' }, 'unknown_reference', '/supplierCode'],
      [product, { productCode: 'OTHER' }, 'code_mismatch', '/productCode'],
      [product, { safetyStock: -1 }, 'out_of_range', '/safetyStock'],
      ['partner', { roles: null }, 'required', '/roles'],
      ['warehouse', { kind: 'consignment' }, 'consignment_customer', '/customerCode'],
      ['warehouse', { zones: [] }, 'zone_in_use', '/zones'],
      ['certificate', { validTo: '2025-01-01' }, 'validity_reversed', '/validTo'],
      ['certificate', { subjectCode: 'HOSP-1' }, 'subject_fixed', '/subjectCode'],
      ['point', { warehouse: 'WH-2' }, 'unknown_reference', '/zone'],
      ['point', { temperature: { min: 9, max: 8 } }, 'range_crossed', '/temperature/min'],
    ];
    for (const [kind, body, reason, path] of cases) {
      const answer = await patch(kind, body);
      expect([body, answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([
        body,
        400,
        reason,
        path,
      ]);
    }
  });

  it('reconsiders what follows from the record, as a PUT does', async () => {
    const stock = { productCode: GTIN, warehouse: 'WH-1', batchNo: 'B1', expiryDate: '2030-01-01' };
    await service.call('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 3, reason: 'count' });
    expect((await patch('product', { safetyStock: 5 })).status).toBe(200);
    const events = await service.db.sql(`select 1 from events where event_type = 'inventory.low_stock'`);
    expect(events).toHaveLength(1);
  });

  it('merges into what another has just committed, down to lists in tables of their own', async () => {
    await Promise.all([
      patch(product, { packaging: [{ udiDi: 'PALLET', level: 'pallet', quantity: 500 }] }),
      ...Array.from({ length: 6 }, (_, i) => patch(product, { model: `M-${i}` })),
    ]);
    expect(await read(product)).toMatchObject({
      packaging: [{ udiDi: 'PALLET' }],
      model: expect.stringMatching(/^M-/),
    });
    await Promise.all([
      patch('warehouse', {
        zones: [
          { code: 'COLD', name: 'Cold' },
          { code: 'DRY', name: 'Dry' },
        ],
      }),
      ...Array.from({ length: 6 }, (_, i) => patch('warehouse', { address: `Street ${i}` })),
    ]);
    expect((await read('warehouse')).zones).toEqual([
      { code: 'COLD', name: 'Cold' },
      { code: 'DRY', name: 'Dry' },
    ]);
  });

  it('that waited for another change keeps what that one wrote in a table of its own', async () => {
    const options = '-c search_path=lotward,public';
    const client = new pg.Client({ connectionString: service.db.url, options });
    await client.connect();
    await client.query('begin');
    await client.query(`select 1 from products where org_id = $1 and product_code = 'MERGED' for update`, [
      service.org.organization.orgId,
    ]);
    await client.query(`update device_identifiers set quantity = 77 where product_code = 'MERGED'`);
    await client.query(`update products set version = version + 1 where product_code = 'MERGED'`);
    const answer = patch(product, { model: 'Waited' });
    await expect
      .poll(async () => (await service.db.waiting()).length, { timeout: 60_000, interval: 20 })
      .toBe(1)
      .finally(() => client.query('commit'))
      .finally(() => client.end());
    expect((await answer).data).toMatchObject({
      model: 'Waited',
      packaging: [{ udiDi: 'PALLET', quantity: 77 }],
    });
  });

  it('is found by id, creates nothing, and ignores fields that are only shown', async () => {
    const { id, version } = await read(product);
    expect(
      (await patch(`/v2/products/${id}`, { version: 99, updatedAt: null, model: 'ById' })).data,
    ).toMatchObject({
      model: 'ById',
      version: version + 1,
    });
    for (const path of [
      '/v2/products/NONE',
      '/v2/partners/NONE',
      '/v2/warehouses/NONE',
      '/v2/environment/points/NONE',
    ])
      for (const headers of [{}, ifMatch('*')])
        expect([path, (await patch(path, {}, headers)).reason]).toEqual([path, 'not_found']);
  });

  it('has a media type of its own, for PATCH only', async () => {
    const type = { 'content-type': 'application/merge-patch+json; charset=utf-8' };
    expect((await patch(product, { model: 'Typed' }, type)).data.model).toBe('Typed');
    expect((await send('PUT', product, full, type)).reason).toBe('unsupported_media_type');
  });

  it('takes effect once with an Idempotency-Key, whose condition belongs to the request', async () => {
    const { version } = await read(product);
    const key = { 'idempotency-key': 'patch-1' };
    const first = await patch(product, { model: 'Once' }, { ...key, ...ifMatch(version) });
    const again = await patch(product, { model: 'Once' }, { ...key, ...ifMatch(version) });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.data).toEqual(first.data);
    expect((await patch(product, { model: 'Once' }, { ...key, ...ifMatch(version + 1) })).reason).toBe(
      'idempotency_key_reused',
    );
  });
});

describe('a PUT', () => {
  it('honours If-Match, and creates nothing with it', async () => {
    const path = '/v2/products/PUT-1';
    expect((await send('PUT', path, { productName: 'A' }, ifMatch('*'))).reason).toBe('version_mismatch');
    expect((await send('GET', path)).status).toBe(404);
    expect((await send('PUT', path, { productName: 'A' })).data.version).toBe(1);
    expect((await send('PUT', path, { productName: 'B' }, ifMatch(1))).data.version).toBe(2);
    expect((await send('PUT', path, { productName: 'C' }, ifMatch(1))).reason).toBe('version_mismatch');
    expect((await read(path)).productName).toBe('B');
  });
});

describe('the version', () => {
  it('is in lists, and moves with decisions about a certificate and with the rotation of a key', async () => {
    const lists: [kind: string, path: string][] = [
      ['product', '/v2/products?limit=200'],
      ['partner', '/v2/partners'],
      ['warehouse', '/v2/warehouses'],
      ['certificate', '/v2/certificates'],
      ['point', '/v2/environment/points'],
    ];
    for (const [kind, path] of lists) {
      const { items } = (await service.call<{ items: Record[] }>('GET', path)).data;
      expect(items.map(({ version }) => version)).toContain((await read(kind)).version);
    }
    const certificate = await read('certificate');
    await send('POST', `${paths.get('certificate')}/suspend`, { reason: 'check' });
    expect((await read('certificate')).version).toBe(certificate.version + 1);
    const key = await read('key');
    await service.api.call('POST', `${paths.get('key')}/rotate`, {}, undefined, console);
    expect((await read('key')).version).toBe(key.version + 1);
    expect((await patch('key', { allowList: ['192.0.2.1'] })).data.allowList).toEqual(['192.0.2.1']);
    expect((await patch('key', { allowList: null })).data.allowList).toEqual([]);
  });
});
