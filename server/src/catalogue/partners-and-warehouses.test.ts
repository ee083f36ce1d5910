import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestService } from '../../test/harness/index.js';

interface Partner {
  code: string;
  name: string;
  roles: string[];
  contact: Record<string, string | null> | null;
  status: string;
  updatedAt: string;
}
interface Warehouse {
  code: string;
  name: string;
  zones: { code: string; name: string }[];
  updatedAt: string;
}
interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

const NOW = '2026-11-15T10:00:00.000Z';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const auditOf = (type: string, code: string) =>
  service.db.sql<{ before: unknown; after: unknown }>(
    'select before, after from audit_entries where entity_type = $1 and entity_id = $2 order by at, entry_id',
    [type, code],
  );

describe('partners', () => {
  const put = (code: string, body: object, key?: string) =>
    service.call<Partner>('PUT', `/v2/partners/${encodeURIComponent(code)}`, body, key);
  const get = (code: string, key?: string) =>
    service.call<Partner>('GET', `/v2/partners/${encodeURIComponent(code)}`, undefined, key);

  it('need a name and a role; the rest has its default', async () => {
    const { status, data } = await put('P-1', { name: 'Acme', roles: ['supplier'] });
    expect(status).toBe(200);
    expect(data).toEqual({
      code: 'P-1',
      name: 'Acme',
      roles: ['supplier'],
      contact: null,
      gln: null,
      registrationCode: null,
      addresses: [],
      status: 'active',
      version: 1,
      updatedAt: NOW,
    });
    expect((await get('P-1')).data).toEqual(data);
  });

  it('say where they are and how they are registered, and can be put back as they were read', async () => {
    const { data } = await put('P-PLACES', {
      name: 'City hospital',
      roles: ['customer'],
      gln: '6901234567892',
      registrationCode: '91350100m000100y43',
      addresses: [
        { code: 'WARD-3', name: 'Ward 3', address: '1 Main street', contact: 'Ms Li', gln: '6901234567892' },
        { code: 'GATE', name: 'Gate' },
      ],
    });
    expect(data).toMatchObject({
      gln: '6901234567892',
      registrationCode: '91350100M000100Y43',
      addresses: [
        { code: 'WARD-3', name: 'Ward 3', address: '1 Main street', contact: 'Ms Li', gln: '6901234567892' },
        { code: 'GATE', name: 'Gate', address: null, contact: null, gln: null },
      ],
    });
    expect((await get('P-PLACES')).data).toEqual(data);
    expect((await put('P-PLACES', data)).data).toEqual(data);
  });

  it.each([
    [{ gln: '6901234567893' }, 'gln_invalid', '/gln'],
    [{ gln: '690123456789' }, 'gln_invalid', '/gln'],
    [{ registrationCode: '91350100M000100Y44' }, 'registration_code_invalid', '/registrationCode'],
    [{ registrationCode: '91350100I000100Y43' }, 'registration_code_invalid', '/registrationCode'],
    [{ registrationCode: '91350100M000100Y4' }, 'registration_code_invalid', '/registrationCode'],
    [{ addresses: [{ code: 'A', name: 'a', gln: '1' }] }, 'gln_invalid', '/addresses/0/gln'],
    [
      {
        addresses: [
          { code: 'A', name: 'a' },
          { code: 'A', name: 'b' },
        ],
      },
      'duplicate_address',
      '/addresses/1/code',
    ],
  ])('are refused with %j', async (more, reason, path) => {
    const answer = await put('P-BAD', { name: 'X', roles: ['customer'], ...more });
    expect([answer.reason, answer.json.errors[0]?.path]).toEqual([reason, path]);
  });

  it('show every field of a contact, and what was read can be put back unchanged', async () => {
    const { data } = await put('P-2', {
      name: '北京医疗器械有限公司',
      roles: ['customer', 'manufacturer'],
      contact: { email: 'a@b.example', phone: null },
      status: 'suspended',
    });
    expect(data.contact).toEqual({ name: null, email: 'a@b.example', phone: null, address: null });
    expect((await get('P-2')).data).toEqual(data);
    expect((await put('P-2', data)).data).toEqual(data);
    expect((await put('P-2', { ...data, contact: null })).data.contact).toBeNull();
    // Replaced whole: what is not said again falls back to its default.
    const replaced = await put('P-2', { name: 'New', roles: ['customer'] });
    expect(replaced.data).toMatchObject({ contact: null, status: 'active', roles: ['customer'] });
  });

  it('write an audit entry each time, with what was and what is', async () => {
    const { data: first } = await put('P-3', { name: 'One', roles: ['supplier'] });
    service.db.clock.advance(1_000);
    const { data: second } = await put('P-3', { name: 'Two', roles: ['supplier'] });
    service.db.clock.set(NOW);
    expect(await auditOf('partner', 'P-3')).toEqual([
      { before: null, after: first },
      { before: first, after: second },
    ]);
  });

  it('are 404 when unknown or of another organization', async () => {
    const stranger = await newOrganization(service.db);
    await put('THEIRS', { name: 'Theirs', roles: ['supplier'] }, stranger.key);
    for (const code of ['NOPE', 'THEIRS'])
      expect([code, (await get(code)).status, (await get(code)).code]).toEqual([code, 404, 1004]);
  });

  it('refuse what they cannot keep, naming the field', async () => {
    const good = { name: 'X', roles: ['supplier'] };
    const refusals: [body: object, reason: string, path: string][] = [
      [{ roles: ['supplier'] }, 'required', '/name'],
      [{ name: 'X' }, 'required', '/roles'],
      [{ ...good, roles: [] }, 'bad_item_count', '/roles'],
      [{ ...good, roles: ['carrier'] }, 'not_allowed', '/roles/0'],
      [{ ...good, roles: ['supplier', 'supplier'] }, 'duplicate_item', '/roles'],
      [{ ...good, contact: { email: 'nobody' } }, 'bad_format', '/contact/email'],
      [{ ...good, contact: { fax: '1' } }, 'unknown_field', '/contact/fax'],
      [{ ...good, status: 'closed' }, 'not_allowed', '/status'],
      [{ ...good, status: null }, 'wrong_type', '/status'],
      [{ ...good, code: 'OTHER' }, 'code_mismatch', '/code'],
      [{ ...good, vat: '1' }, 'unknown_field', '/vat'],
    ];
    for (const [body, reason, path] of refusals) {
      const answer = await put('BAD-1', body);
      expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([400, reason, path]);
    }
    expect((await get('BAD-1')).status).toBe(404);
  });

  it('several writers at once make one partner: one creation, each replacement of what was there', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `Writer ${i}`);
    const answers = await Promise.all(names.map((name) => put('CROWD', { name, roles: ['supplier'] })));
    expect(answers.map((answer) => answer.status)).toEqual(names.map(() => 200));
    const entries = await auditOf('partner', 'CROWD');
    expect(entries.filter((entry) => entry.before === null)).toHaveLength(1);
  });

  it('are listed in code order by name, role and status, one by one and together', async () => {
    await put('Z-1', { name: 'Zürich ÄRZTE 50%', roles: ['customer'] });
    await put('Z-2', { name: 'zürich ärzte', roles: ['supplier', 'manufacturer'], status: 'suspended' });
    await put('Z-3', { name: '上海医院', roles: ['customer'], status: 'suspended' });
    const cases: [query: string, codes: string[]][] = [
      ['name=%C3%84rzte', ['Z-1', 'Z-2']],
      ['name=50%25', ['Z-1']],
      ['name=5_', []],
      [`name=${encodeURIComponent('医院')}`, ['Z-3']],
      [`name=${encodeURIComponent('海')}`, ['Z-3']],
      ['name=rich&role=manufacturer', ['Z-2']],
      ['name=rich&status=suspended', ['Z-2']],
      ['role=customer&status=suspended', ['Z-3']],
      ['role=customer&status=suspended&name=z', []],
    ];
    for (const [query, codes] of cases) {
      const { data } = await service.call<Page<Partner>>('GET', `/v2/partners?${query}`);
      expect([query, data.items.map((item) => item.code)]).toEqual([query, codes]);
    }
    const all = (await service.call<Page<Partner>>('GET', '/v2/partners?limit=200')).data.items;
    expect(all.map((item) => item.code)).toEqual(all.map((item) => item.code).sort());
    const first = (await service.call<Page<Partner>>('GET', '/v2/partners?limit=3')).data;
    const rest = await service.call<Page<Partner>>(
      'GET',
      `/v2/partners?limit=200&cursor=${first.nextCursor}`,
    );
    expect([...first.items, ...rest.data.items]).toEqual(all);
  });
});

describe('warehouses', () => {
  const put = (code: string, body: object, key?: string) =>
    service.call<Warehouse>('PUT', `/v2/warehouses/${encodeURIComponent(code)}`, body, key);
  const get = (code: string) => service.call<Warehouse>('GET', `/v2/warehouses/${encodeURIComponent(code)}`);

  it('need a name, keep their zones in the order given, and can be put back as they were read', async () => {
    expect((await put('W-1', { name: 'Bare' })).data).toEqual({
      code: 'W-1',
      name: 'Bare',
      kind: 'own',
      customerCode: null,
      gln: null,
      address: null,
      zones: [],
      version: 1,
      updatedAt: NOW,
    });
    const zones = [
      { code: 'B', name: '阴凉库' },
      { code: 'A', name: '2–8 °C' },
    ];
    const { data } = await put('W-1', { name: 'Zoned', zones });
    expect(data.zones).toEqual(zones);
    expect((await get('W-1')).data).toEqual(data);
    expect((await put('W-1', data)).data).toEqual(data);
    const changed = await put('W-1', { name: 'Zoned', zones: [{ code: 'A', name: 'Cold' }] });
    expect(changed.data.zones).toEqual([{ code: 'A', name: 'Cold' }]);
    expect((await get('W-1')).data).toEqual(changed.data);
    expect((await put('W-1', { name: 'Bare again' })).data.zones).toEqual([]);
  });

  it('write an audit entry each time, with what was and what is', async () => {
    const { data: first } = await put('W-2', { name: 'One', zones: [{ code: 'A', name: 'a' }] });
    service.db.clock.advance(1_000);
    const { data: second } = await put('W-2', { name: 'Two' });
    service.db.clock.set(NOW);
    expect(await auditOf('warehouse', 'W-2')).toEqual([
      { before: null, after: first },
      { before: first, after: second },
    ]);
  });

  it('refuse `*`, doubled zones, another code than in the path, and unknown fields', async () => {
    const refusals: [code: string, body: object, reason: string, path: string][] = [
      ['*', { name: 'All' }, 'reserved_code', '/code'],
      ['BAD', {}, 'required', '/name'],
      ['BAD', { name: 'X', code: 'OTHER' }, 'code_mismatch', '/code'],
      [
        'BAD',
        {
          name: 'X',
          zones: [
            { code: 'A', name: 'a' },
            { code: 'A', name: 'b' },
          ],
        },
        'duplicate_zone',
        '/zones',
      ],
      ['BAD', { name: 'X', zones: [{ code: 'A' }] }, 'required', '/zones/0/name'],
      ['BAD', { name: 'X', zones: null }, 'wrong_type', '/zones'],
      ['BAD', { name: 'X', street: 'Y' }, 'unknown_field', '/street'],
      ['BAD', { name: 'X', gln: '6901234567893' }, 'gln_invalid', '/gln'],
      ['BAD', { name: 'X', kind: 'consignment' }, 'consignment_customer', '/customerCode'],
      ['BAD', { name: 'X', customerCode: 'HOSP-1' }, 'consignment_customer', '/customerCode'],
      [
        'BAD',
        { name: 'X', kind: 'consignment', customerCode: 'NOBODY' },
        'unknown_reference',
        '/customerCode',
      ],
    ];
    for (const [code, body, reason, path] of refusals) {
      const answer = await put(code, body);
      expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([400, reason, path]);
    }
    expect((await get('BAD')).status).toBe(404);
    expect((await get('*')).status).toBe(404);
  });

  it('several writers at once make one warehouse with the zones of the last', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        put('CROWD', { name: `Writer ${i}`, zones: [{ code: `Z${i}`, name: 'z' }] }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    const { data } = await get('CROWD');
    expect(data.zones).toEqual([{ code: data.name.replace('Writer ', 'Z'), name: 'z' }]);
    const entries = await auditOf('warehouse', 'CROWD');
    expect(entries.filter((entry) => entry.before === null)).toHaveLength(1);
  });

  it('say where they are, and a consignment warehouse at whose place', async () => {
    const { data } = await put('CONS', {
      name: 'Cabinet',
      kind: 'consignment',
      customerCode: 'HOSP-1',
      gln: '6901234567892',
      address: '1 Main street',
    });
    expect(data).toMatchObject({
      kind: 'consignment',
      customerCode: 'HOSP-1',
      gln: '6901234567892',
      address: '1 Main street',
    });
    expect((await get('CONS')).data).toEqual(data);
    expect((await put('CONS', data)).data).toEqual(data);
  });

  it('keep their kind and customer as long as they have stock, so that it does not change its place unsaid', async () => {
    const cabinet = { name: 'Cabinet', kind: 'consignment', customerCode: 'HOSP-1' };
    await service.call('PUT', '/v2/partners/HOSP-2', { name: 'Other hospital', roles: ['customer'] });
    await put('STOCKED', cabinet);
    const adjust = (quantityDelta: number) =>
      service.call('POST', '/v2/stock/adjustments', {
        productCode: 'GLOVE-1',
        warehouse: 'STOCKED',
        quantityDelta,
        reason: 'count',
      });
    expect((await adjust(5)).status).toBe(200);
    for (const [body, path] of [
      [{ name: 'Ours' }, '/kind'],
      [{ ...cabinet, customerCode: 'HOSP-2' }, '/customerCode'],
    ] as const) {
      const answer = await put('STOCKED', body);
      expect([answer.reason, answer.json.errors[0]?.path]).toEqual(['warehouse_not_empty', path]);
    }
    expect((await put('STOCKED', { ...cabinet, name: 'Renamed' })).status).toBe(200);
    expect((await adjust(-5)).status).toBe(200);
    expect((await put('STOCKED', { name: 'Ours' })).data.name).toBe('Ours');
  });

  it('are listed in code order, each organization its own', async () => {
    const other = await newOrganization(service.db);
    await put('OTHERS', { name: 'Theirs' }, other.key);
    const { data } = await service.call<Page<Warehouse>>('GET', '/v2/warehouses');
    expect(data.items.map((item) => item.code)).toEqual([
      'CONS',
      'CROWD',
      'STOCKED',
      'W-1',
      'W-2',
      'WH-1',
      'WH-2',
    ]);
    expect((await get('OTHERS')).status).toBe(404);
    const first = (await service.call<Page<Warehouse>>('GET', '/v2/warehouses?limit=2')).data;
    const rest = await service.call<Page<Warehouse>>('GET', `/v2/warehouses?cursor=${first.nextCursor}`);
    expect([...first.items, ...rest.data.items]).toEqual(data.items);
  });
});
