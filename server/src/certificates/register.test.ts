import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService } from '../../test/harness/index.js';

interface Certificate {
  certificateId: string;
  certificateNo: string;
  status: string;
  supersededBy: string | null;
  validTo: string | null;
  version: number;
  [field: string]: unknown;
}

const NOW = '2026-11-15T10:00:00.000Z';
let service: Awaited<ReturnType<typeof openTestService>>;
let made = 0;
beforeAll(async () => {
  service = await openTestService();
  await service.call('PUT', '/v2/partners/12345670', { name: 'Digits', roles: ['supplier'] });
});
beforeEach(() => service.db.clock.set(NOW));
afterAll(() => service.close());

const licence = (part: object = {}) => ({
  certificateNo: `L-${++made}`,
  type: 'licence',
  subjectType: 'supplier',
  subjectCode: 'SUP-1',
  issuer: 'City of Example',
  validFrom: '2026-01-01',
  validTo: '2027-12-31',
  ...part,
});
const post = (path: string, body: object, key?: string) =>
  service.call<Certificate>('POST', `/v2/certificates${path}`, body, key);
const put = (id: string, body: object) => service.call<Certificate>('PUT', `/v2/certificates/${id}`, body);
const get = async (id: string) => (await service.call<Certificate>('GET', `/v2/certificates/${id}`)).data;
async function enter(part: object = {}): Promise<Certificate> {
  const answer = await post('', licence(part));
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
}
const auditOf = (id: string) =>
  service.db.sql<{ action: string; reason: string | null; before: Certificate; after: Certificate }>(
    `select action, reason, before, after from audit_entries where entity_type = 'certificate' and entity_id = $1
     order by (after->>'version')::integer`,
    [id],
  );

describe('a certificate', () => {
  it('needs number, type, subject, issuer and first day; every field is shown, null where nothing was said', async () => {
    const { validTo: _validTo, ...least } = licence({ certificateNo: 'LEAST' });
    const { status, data } = await post('', least);
    expect(status).toBe(200);
    expect(data).toEqual({
      certificateId: expect.stringMatching(/^crt_[0-9a-z]{26}$/),
      certificateNo: 'LEAST',
      type: 'licence',
      subjectType: 'supplier',
      subjectCode: 'SUP-1',
      subjectName: 'Acme Devices',
      issuer: 'City of Example',
      jurisdiction: null,
      scope: null,
      issuedOn: null,
      validFrom: '2026-01-01',
      validTo: null,
      status: 'valid',
      statusReason: null,
      supersededBy: null,
      daysRemaining: null,
      coverage: null,
      documentUrl: null,
      documentHash: null,
      file: null,
      version: 1,
      createdAt: NOW,
      createdBy: expect.stringContaining('@'),
      updatedAt: NOW,
      statusHistory: [],
      coverageHistory: [],
    });
    expect(await get(data.certificateId)).toEqual(data);
    for (const name of ['certificateNo', 'type', 'subjectType', 'subjectCode', 'issuer', 'validFrom']) {
      const answer = await post('', { ...least, [name]: undefined });
      expect([name, answer.reason, answer.json.errors[0]?.path]).toEqual([name, 'required', `/${name}`]);
    }
  });

  it('keeps everything it is given, and what was read can be put back', async () => {
    const full = {
      ...licence(),
      jurisdiction: 'EU',
      scope: 'Class III implants\nand accessories',
      issuedOn: '2025-12-01',
      documentUrl: 'https://files.example/licence.pdf?v=1',
      documentHash: `sha256:${'aB'.repeat(32)}`,
    };
    const { data } = await post('', full);
    expect(data).toMatchObject(full);
    service.db.clock.advance(1_000);
    const again = await put(data.certificateId, data);
    expect(again.data).toEqual(data);
    const { certificateNo, issuer, validFrom } = full;
    const replaced = await put(data.certificateId, { certificateNo, issuer, validFrom });
    expect(replaced.data).toMatchObject({ jurisdiction: null, validTo: null, documentUrl: null, version: 2 });
  });

  it('is about a product by its GTIN in any length, and about a partner by its code as it is', async () => {
    const short = GTIN.slice(1);
    const data = await enter({ subjectType: 'product', subjectCode: short, type: 'registration' });
    expect(data).toMatchObject({ subjectCode: GTIN, subjectName: 'Coronary stent 3.0×18' });
    expect((await put(data.certificateId, { ...data, subjectCode: short })).status).toBe(200);
    const digits = await enter({ subjectCode: '12345670' });
    expect(digits).toMatchObject({ subjectCode: '12345670', subjectName: 'Digits' });
    const found = (query: string) =>
      service
        .call<{ items: Certificate[] }>('GET', `/v2/certificates?${query}`)
        .then(({ data: { items } }) => items.map((item) => item.certificateId));
    expect(await found(`subjectCode=${short}`)).toEqual([data.certificateId]);
    expect(await found(`subjectType=product&subjectCode=${short}`)).toEqual([data.certificateId]);
    expect(await found('subjectCode=12345670')).toEqual([digits.certificateId]);
  });

  it.each([
    [{ subjectCode: 'NOBODY' }, 'unknown_reference', '/subjectCode'],
    [{ subjectType: 'product' }, 'unknown_reference', '/subjectCode'],
    [{ subjectCode: 'HOSP-1' }, 'wrong_partner_role', '/subjectCode'],
    [{ validTo: '2025-12-31' }, 'validity_reversed', '/validTo'],
    [{ validTo: '2026-02-30' }, 'bad_format', '/validTo'],
    [{ subjectType: 'warehouse' }, 'not_allowed', '/subjectType'],
    [{ documentUrl: 'javascript:alert(1)' }, 'bad_format', '/documentUrl'],
    [{ documentUrl: `https://x/${'a'.repeat(2_000)}` }, 'bad_length', '/documentUrl'],
    [{ documentHash: 'not a hash' }, 'bad_format', '/documentHash'],
    [{ documentHash: 'a'.repeat(129) }, 'bad_format', '/documentHash'],
    [{ status: 'revoked' }, 'unknown_field', '/status'],
  ])('is refused with %j', async (part, reason, path) => {
    const answer = await post('', licence(part));
    expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([400, reason, path]);
  });

  it('is valid for a single day when both dates are the same', async () => {
    expect((await enter({ validFrom: '2026-11-15', validTo: '2026-11-15' })).status).toBe('expiring');
  });

  it('exists once for a subject, type and number while it is current, however it comes to that number', async () => {
    const first = await enter();
    const twin = licence({ certificateNo: first.certificateNo });
    expect((await post('', twin)).reason).toBe('certificate_exists');
    for (const other of [{ type: 'permit' }, { subjectCode: '12345670' }, { certificateNo: 'OTHER-NO' }])
      expect((await post('', { ...twin, ...other })).status).toBe(200);
    const other = await enter();
    expect((await put(other.certificateId, { ...other, certificateNo: first.certificateNo })).reason).toBe(
      'certificate_exists',
    );
    const renewal = { validFrom: '2027-01-01', validTo: null, certificateNo: first.certificateNo };
    expect((await post(`/${other.certificateId}/renew`, renewal)).reason).toBe('certificate_exists');
    expect((await get(other.certificateId)).status).toBe('valid');
    await post(`/${first.certificateId}/suspend`, { reason: 'audit' });
    expect((await post('', twin)).reason).toBe('certificate_exists');
    await post(`/${first.certificateId}/revoke`, { reason: 'fraud' });
    expect((await post('', twin)).status).toBe(200);
  });

  it('keeps its subject and type', async () => {
    const data = await enter();
    for (const [part, path] of [
      [{ type: 'permit' }, '/type'],
      [{ subjectType: 'customer' }, '/subjectType'],
      [{ subjectCode: '12345670' }, '/subjectCode'],
    ] as const) {
      const answer = await put(data.certificateId, { ...data, ...part });
      expect([answer.reason, answer.json.errors[0]?.path]).toEqual(['subject_fixed', path]);
    }
    expect((await get(data.certificateId)).version).toBe(1);
  });

  it('of another organization is 404 for every verb', async () => {
    const { certificateId } = await enter();
    const stranger = await newOrganization(service.db);
    const calls = [
      ['GET', '', undefined],
      ['PUT', '', licence()],
      ['POST', '/renew', { validFrom: '2027-01-01', validTo: null }],
      ['POST', '/suspend', { reason: 'x' }],
      ['POST', '/reinstate', {}],
      ['POST', '/revoke', { reason: 'x' }],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await service.call(
        method,
        `/v2/certificates/${certificateId}${path}`,
        body,
        stranger.key,
      );
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
});

describe('the status of a certificate', () => {
  it.each([
    ['2026-11-14', '2026-01-01', 'expired', -1],
    ['2026-11-15', '2026-01-01', 'expiring', 0],
    ['2026-12-15', '2026-01-01', 'expiring', 30],
    ['2026-12-16', '2026-01-01', 'valid', 31],
    ['2026-12-16', '2026-11-15', 'valid', 31],
    ['2026-12-15', '2026-11-16', 'not_yet_valid', 30],
    ['2028-02-29', '2026-11-16', 'not_yet_valid', 471],
  ])('valid through %s, from %s: %s, %i days', async (validTo, validFrom, status, daysRemaining) => {
    expect(await enter({ validTo, validFrom })).toMatchObject({ status, daysRemaining });
  });

  it('changes with the day where the organization is', async () => {
    const org = await newOrganization(service.db, { timeZone: 'Asia/Shanghai' });
    await service.call('PUT', '/v2/partners/SUP-1', { name: 'Acme', roles: ['supplier'] }, org.key);
    const { data } = await post('', licence({ validTo: '2026-11-15' }), org.key);
    const status = async () =>
      (await service.call<Certificate>('GET', `/v2/certificates/${data.certificateId}`, undefined, org.key))
        .data;
    service.db.clock.set('2026-11-15T15:59:59.999Z');
    expect(await status()).toMatchObject({ status: 'expiring', daysRemaining: 0 });
    service.db.clock.set('2026-11-15T16:00:00.000Z');
    expect(await status()).toMatchObject({ status: 'expired', daysRemaining: -1 });
  });

  it('is the decision, regardless of the dates', async () => {
    const { certificateId } = await enter({ validTo: '2026-11-01' });
    const suspended = await post(`/${certificateId}/suspend`, { reason: 'inspection' });
    expect(suspended.data).toMatchObject({ status: 'suspended', statusReason: 'inspection', version: 2 });
    const reinstated = await post(`/${certificateId}/reinstate`, { reason: 'all well' });
    expect(reinstated.data).toMatchObject({ status: 'expired', statusReason: null, version: 3 });
    const revoked = await post(`/${certificateId}/revoke`, { reason: 'fraud' });
    expect(revoked.data).toMatchObject({ status: 'revoked', statusReason: 'fraud', version: 4 });
    expect((await auditOf(certificateId)).map(({ action, reason }) => [action, reason])).toEqual([
      ['certificate.create', null],
      ['certificate.suspend', 'inspection'],
      ['certificate.reinstate', 'all well'],
      ['certificate.revoke', 'fraud'],
    ]);
  });

  it('allows only the moves of the table, and needs reasons', async () => {
    const moves: Record<string, object> = {
      suspend: { reason: 'x' },
      reinstate: {},
      revoke: { reason: 'x' },
      renew: { validFrom: '2027-01-01', validTo: null },
    };
    const allowed: Record<string, string[]> = {
      valid: ['suspend', 'revoke', 'renew'],
      suspended: ['reinstate', 'revoke', 'renew'],
      revoked: [],
      superseded: [],
    };
    const way: Record<string, string[]> = {
      valid: [],
      suspended: ['suspend'],
      revoked: ['revoke'],
      superseded: ['renew'],
    };
    for (const [status, possible] of Object.entries(allowed))
      for (const [action, body] of Object.entries(moves)) {
        const { certificateId } = await enter();
        for (const step of way[status] ?? []) await post(`/${certificateId}/${step}`, moves[step] ?? {});
        expect((await get(certificateId)).status).toBe(status);
        const answer = await post(`/${certificateId}/${action}`, body);
        const expected = possible.includes(action) ? undefined : 'transition_not_allowed';
        expect([status, action, answer.reason]).toEqual([status, action, expected]);
      }
    const { certificateId } = await enter();
    for (const action of ['suspend', 'revoke'])
      expect((await post(`/${certificateId}/${action}`, {})).reason).toBe('required');
  });

  it('decides whether the content can be corrected', async () => {
    const suspended = await enter();
    await post(`/${suspended.certificateId}/suspend`, { reason: 'x' });
    const corrected = await put(suspended.certificateId, { ...suspended, issuer: 'Another' });
    expect(corrected.data).toMatchObject({ issuer: 'Another', status: 'suspended', statusReason: 'x' });
    await post(`/${suspended.certificateId}/revoke`, { reason: 'x' });
    expect((await put(suspended.certificateId, suspended)).reason).toBe('certificate_closed');
  });
});

describe('a renewal', () => {
  it('returns the new certificate, with omitted fields from the old one, and closes the old one', async () => {
    const old = await enter({
      jurisdiction: 'EU',
      scope: 'all',
      issuedOn: '2025-01-01',
      documentHash: 'ab12',
    });
    const { data } = await post(`/${old.certificateId}/renew`, {
      validFrom: '2028-01-01',
      validTo: '2029-12-31',
      scope: null,
      issuer: 'Another office',
    });
    expect(data).toEqual({
      ...old,
      certificateId: expect.not.stringContaining(old.certificateId),
      scope: null,
      issuer: 'Another office',
      validFrom: '2028-01-01',
      validTo: '2029-12-31',
      status: 'not_yet_valid',
      daysRemaining: 1142,
    });
    expect(await get(data.certificateId)).toEqual(data);
    expect(await get(old.certificateId)).toMatchObject({
      status: 'superseded',
      supersededBy: data.certificateId,
      version: 2,
      validTo: old.validTo,
    });
    expect((await auditOf(old.certificateId)).map((entry) => entry.action)).toEqual([
      'certificate.create',
      'certificate.renew',
    ]);
    const [created] = await auditOf(data.certificateId);
    expect(created).toMatchObject({
      action: 'certificate.create',
      after: { certificateNo: old.certificateNo },
    });
  });

  it('can be renewed again, under another number', async () => {
    const first = await enter();
    const renewal = { validFrom: '2027-01-01', validTo: '2027-12-31' };
    const { data: second } = await post(`/${first.certificateId}/renew`, renewal);
    const { data: third } = await post(`/${second.certificateId}/renew`, {
      ...renewal,
      certificateNo: 'THIRD',
    });
    expect(third.certificateNo).toBe('THIRD');
    expect((await get(second.certificateId)).supersededBy).toBe(third.certificateId);
    expect((await get(first.certificateId)).supersededBy).toBe(second.certificateId);
  });

  it.each([
    ['2026-12-20', '2026-12-21'],
    ['2026-11-01', '2026-11-15'],
    [null, '2026-11-15'],
  ])('that ends on %s is followed by its renewal on %s where nothing else is said', async (validTo, next) => {
    const { certificateId } = await enter({ validTo });
    const renewed = await post(`/${certificateId}/renew`, { validTo: '2030-01-01' });
    expect(renewed.data).toMatchObject({ validFrom: next, validTo: '2030-01-01' });
  });

  it('says when it ends, and does not end before it begins', async () => {
    const { certificateId } = await enter();
    expect((await post(`/${certificateId}/renew`, { validFrom: '2027-01-01' })).reason).toBe('required');
    const reversed = await post(`/${certificateId}/renew`, {
      validFrom: '2027-01-01',
      validTo: '2026-01-01',
    });
    expect(reversed.reason).toBe('validity_reversed');
    expect((await get(certificateId)).status).toBe('valid');
  });
});

describe('when many change the same certificate at once', () => {
  it.each([
    ['renew', { validFrom: '2027-01-01', validTo: null }],
    ['suspend', { reason: 'x' }],
    ['revoke', { reason: 'x' }],
  ])('one of them can %s it, the others are refused', async (action, body) => {
    const { certificateId, certificateNo } = await enter();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(`/${certificateId}/${action}`, body)),
    );
    expect(answers.map(({ reason }) => reason ?? 'done').sort()).toEqual([
      'done',
      ...Array(7).fill('transition_not_allowed'),
    ]);
    const rows = await service.db.sql('select 1 from certificates where certificate_no = $1', [
      certificateNo,
    ]);
    expect(rows).toHaveLength(action === 'renew' ? 2 : 1);
  });

  it('one of them can enter it', async () => {
    const body = licence();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('', body)));
    expect(answers.map(({ reason }) => reason ?? 'done').sort()).toEqual([
      ...Array(7).fill('certificate_exists'),
      'done',
    ]);
  });
});
