import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, newOrganization, openTestService } from '../../test/harness/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { putCertificates } from './put-certificates.js';

interface Page {
  items: {
    certificateId: string;
    certificateNo: string;
    subjectType: string;
    status: string;
    validTo: string | null;
  }[];
  nextCursor: string | null;
}

let service: Awaited<ReturnType<typeof openTestService>>;
let customer: string;
const idOf = new Map<string, string>();

/** Number, subject and dates of each; the number says what it is. */
const REGISTER = [
  ['valid', 'supplier', 'SUP-1', '2026-01-01', '2027-01-01'],
  ['endless', 'supplier', 'SUP-1', '2026-01-01', null],
  ['last-valid', 'product', GTIN, '2026-01-01', '2026-12-16'],
  ['thirty', 'product', GTIN, '2026-01-01', '2026-12-15'],
  ['today', 'product', 'PUMP-1', '2026-01-01', '2026-11-15'],
  ['yesterday', 'product', 'PUMP-1', '2026-01-01', '2026-11-14'],
  ['long-ago', 'customer', 'HOSP-1', '2020-01-01', '2021-01-01'],
  ['soon', 'customer', 'HOSP-1', '2026-11-16', '2026-12-01'],
  ['suspended', 'supplier', 'SUP-1', '2026-01-01', '2026-11-20'],
  ['revoked', 'product', GTIN, '2026-01-01', '2026-11-20'],
  ['renewed', 'product', GTIN, '2026-01-01', '2026-11-20'],
] as const;

beforeAll(async () => {
  service = await openTestService({ alone: true });
  const must = async (path: string, body: object) => {
    service.db.clock.advance(1);
    const { status, data, text } = await service.call<{ certificateId: string }>('POST', path, body);
    if (status !== 200) throw new Error(text);
    return data.certificateId;
  };
  for (const [certificateNo, subjectType, subjectCode, validFrom, validTo] of REGISTER) {
    const type = subjectType === 'product' ? 'registration' : 'licence';
    const body = { certificateNo, type, subjectType, subjectCode, issuer: 'Office', validFrom, validTo };
    idOf.set(certificateNo, await must('/v2/certificates', body));
  }
  await must(`/v2/certificates/${idOf.get('suspended')}/suspend`, { reason: 'x' });
  await must(`/v2/certificates/${idOf.get('revoked')}/revoke`, { reason: 'x' });
  const renewal = { certificateNo: 'renewal', validFrom: '2026-11-01', validTo: '2026-11-30' };
  idOf.set('renewal', await must(`/v2/certificates/${idOf.get('renewed')}/renew`, renewal));
  customer = (await service.org.newKey({ customerCode: 'HOSP-1' })).apiKey;
  const stranger = await newOrganization(service.db);
  await service.call('PUT', '/v2/partners/SUP-1', { name: 'Theirs', roles: ['supplier'] }, stranger.key);
  const theirs = { type: 'licence', subjectType: 'supplier', subjectCode: 'SUP-1', issuer: 'x' };
  await service.call(
    'POST',
    '/v2/certificates',
    { ...theirs, certificateNo: 'valid', validFrom: '2026-01-01' },
    stranger.key,
  );
});
afterAll(() => service.close());

const list = (query: string, key?: string) =>
  service.call<Page>('GET', `/v2/certificates?${query}`, undefined, key);
const numbers = async (query: string, key?: string) => {
  const answer = await list(query, key);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.items.map((item) => item.certificateNo);
};
const all = [...REGISTER.map(([no]) => no), 'renewal'];

describe('the list of certificates', () => {
  it.each([
    ['', all],
    ['certificateNo=thirty', ['thirty']],
    ['certificateNo=nothing', []],
    ['subjectType=customer', ['long-ago', 'soon']],
    ['subjectCode=SUP-1', ['valid', 'endless', 'suspended']],
    ['subjectType=product&subjectCode=SUP-1', []],
    [`subjectCode=${GTIN.slice(1)}`, ['last-valid', 'thirty', 'revoked', 'renewed', 'renewal']],
    [
      `subjectType=product&subjectCode=${GTIN}&type=registration`,
      ['last-valid', 'thirty', 'revoked', 'renewed', 'renewal'],
    ],
    ['type=licence', ['valid', 'endless', 'long-ago', 'soon', 'suspended']],
    ['type=licence&subjectType=customer', ['long-ago', 'soon']],
    ['status=valid', ['valid', 'endless', 'last-valid']],
    ['status=expiring', ['thirty', 'today', 'renewal']],
    ['status=expired', ['yesterday', 'long-ago']],
    ['status=not_yet_valid', ['soon']],
    ['status=suspended', ['suspended']],
    ['status=revoked', ['revoked']],
    ['status=superseded', ['renewed']],
    ['status=expired&subjectType=product', ['yesterday']],
    ['status=valid&type=licence', ['valid', 'endless']],
    ['status=expiring&certificateNo=today', ['today']],
    ['expiringWithinDays=0', ['today']],
    ['expiringWithinDays=15', ['today', 'renewal'].sort((a, b) => all.indexOf(a) - all.indexOf(b))],
    ['expiringWithinDays=16', ['today', 'soon', 'renewal']],
    ['expiringWithinDays=30', ['thirty', 'today', 'soon', 'renewal']],
    ['expiringWithinDays=36500', ['valid', 'last-valid', 'thirty', 'today', 'soon', 'renewal']],
    ['expiringWithinDays=30&status=expiring', ['thirty', 'today', 'renewal']],
    ['expiringWithinDays=30&status=revoked', []],
  ])('returns the page for %s', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected);
  });

  it('comes by expiry when asked, page by page, with what nobody renews any more at the end', async () => {
    const sorted = async (sort: string, limit: string) => {
      const seen: { no: string; end: string | null; status: string }[] = [];
      let cursor: string | null = null;
      do {
        const { data }: { data: Page } = await list(
          `sort=${sort}&${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        seen.push(
          ...data.items.map((item) => ({ no: item.certificateNo, end: item.validTo, status: item.status })),
        );
        cursor = data.nextCursor;
      } while (cursor !== null);
      return seen;
    };
    const whole = await sorted('validTo', 'limit=200');
    expect(whole.map(({ no }) => no).sort()).toEqual([...all].sort());
    expect(
      whole
        .slice(-2)
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['revoked', 'superseded']);
    const ends = whole.slice(0, -2).map(({ end }) => end ?? 'never');
    expect(ends).toEqual([...ends].sort());
    expect(await sorted('validTo', 'limit=2')).toEqual(whole);
    expect(await sorted('-validTo', 'limit=3')).toEqual([...whole].reverse());
    expect((await list('sort=validTo&status=expiring')).data.items.map((item) => item.certificateNo)).toEqual(
      whole.filter(({ status }) => status === 'expiring').map(({ no }) => no),
    );
  });

  it('shows the status that it was asked for, and each certificate as its detail does, without the history of its coverage and its file', async () => {
    for (const status of [
      'valid',
      'expiring',
      'expired',
      'not_yet_valid',
      'suspended',
      'revoked',
      'superseded',
    ]) {
      const { items } = (await list(`status=${status}`)).data;
      expect(items.map((item) => item.status)).toEqual(items.map(() => status));
      for (const item of items)
        expect((await service.call('GET', `/v2/certificates/${item.certificateId}`)).data).toEqual({
          ...item,
          coverageHistory: [],
          file: null,
        });
    }
  });

  it.each([
    '',
    'status=expiring&',
    'status=valid&',
    'expiringWithinDays=36500&',
    'subjectType=product&',
    'type=licence&',
  ])('comes page by page, each certificate once: %s', async (query) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { data }: { data: Page } = await list(
        `${query}limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      expect(data.items.length).toBeLessThanOrEqual(2);
      seen.push(...data.items.map((item) => item.certificateNo));
      cursor = data.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(await numbers(query.slice(0, -1)));
  });

  it('refuses conditions that it cannot read', async () => {
    for (const [query, reason] of [
      ['status=active', 'not_allowed'],
      ['subjectType=warehouse', 'not_allowed'],
      ['expiringWithinDays=-1', 'out_of_range'],
      ['expiringWithinDays=soon', 'wrong_type'],
      ['expiring=30', 'unknown_parameter'],
      ['cursor=x', 'bad_cursor'],
    ])
      expect([query, (await list(query ?? '')).reason]).toEqual([query, reason]);
  });

  it('does not show certificates of customers to a credential bound to one', async () => {
    const shown = REGISTER.filter(([, subjectType]) => subjectType !== 'customer').map(([no]) => no);
    expect(await numbers('', customer)).toEqual([...shown, 'renewal']);
    for (const query of [
      'subjectType=customer',
      'subjectCode=HOSP-1',
      'certificateNo=soon',
      'status=not_yet_valid',
    ])
      expect([query, await numbers(query, customer)]).toEqual([query, []]);
    const detail = (no: string) =>
      service.call('GET', `/v2/certificates/${idOf.get(no)}`, undefined, customer);
    expect((await detail('soon')).status).toBe(404);
    expect((await detail('today')).status).toBe(200);
  });

  it('finds what stands beyond the stretch that is walked first', async () => {
    const org = await newOrganization(service.db);
    await service.call('PUT', '/v2/partners/S', { name: 'S', roles: ['supplier'] }, org.key);
    // 5,000 that expired long ago, then 5,000 that are valid, then some that expire soon.
    await service.db.sql(
      `insert into certificates (org_id, certificate_id, certificate_no, type, subject_type, subject_code, issuer, valid_from,
         valid_to, state, version, created_at, created_by, updated_at)
       select $1, 'crt_' || lpad(i::text, 26, '0'), 'N-' || i, 'licence', 'supplier', 'S', 'Office', date '2019-01-01',
         case when i <= 5000 then date '2020-01-01' when i <= 10000 then date '2030-01-01' else date '2026-11-20' end,
         'active', 1, now(), 'x', now()
       from generate_series(1, 10060) i`,
      [org.organization.orgId],
    );
    const count = async (query: string) => {
      let found = 0;
      let cursor: string | null = null;
      do {
        const path: string = `${query}&limit=200${cursor === null ? '' : `&cursor=${cursor}`}`;
        const { data } = await list(path, org.key);
        found += data.items.length;
        cursor = data.nextCursor;
      } while (cursor !== null);
      return found;
    };
    expect(await count('status=expiring')).toBe(60);
    expect(await count('status=valid')).toBe(5_000);
    expect(await count('status=expired')).toBe(5_000);
    expect(await count('expiringWithinDays=7&type=licence&subjectCode=S')).toBe(60);
    expect(await count('status=not_yet_valid')).toBe(0);
  });

  it('shows those that were stored together and end on the same day in the order given', async () => {
    const org = await newOrganization(service.db);
    await service.call('PUT', '/v2/partners/S', { name: 'S', roles: ['supplier'] }, org.key);
    const given = Array.from({ length: 20 }, (_, n) => `N-${n}`);
    const principal = systemPrincipal(org.organization.orgId, 'operator@test.example');
    await transact(service.db.database, principal, (tx) =>
      putCertificates(
        tx,
        given.map((certificateNo) => ({
          ...{ certificateNo, type: 'licence', subjectType: 'supplier', subjectCode: 'S', issuer: 'Office' },
          ...{ validFrom: '2026-01-01', validTo: '2027-01-01' },
        })),
      ),
    );
    expect(await numbers('sort=validTo', org.key)).toEqual(given);
  });
});
