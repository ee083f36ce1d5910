import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestService } from '../../test/harness/index.js';

interface Certificate {
  certificateId: string;
  certificateNo: string;
  coverage: object[] | null;
  coverageHistory?: object[];
  version: number;
}

const NOW = '2026-11-15T10:00:00.000Z';
const COVERAGE = [
  { riskClasses: ['II', 'III'], categories: ['6846', '02*'], excludes: ['implantable', 'sterile'] },
  { riskClasses: ['I'] },
];
let service: Awaited<ReturnType<typeof openTestService>>;
let made = 0;
beforeAll(async () => {
  service = await openTestService();
});
beforeEach(() => service.db.clock.set(NOW));
afterAll(() => service.close());

const licence = (part: object = {}) => ({
  ...{ certificateNo: `L-${++made}`, type: 'licence', subjectType: 'supplier', subjectCode: 'SUP-1' },
  ...{ issuer: 'Office', validFrom: '2026-01-01', validTo: '2027-12-31', ...part },
});
const post = (path: string, body: object) =>
  service.call<Certificate>('POST', `/v2/certificates${path}`, body);
const put = (id: string, body: object) => service.call<Certificate>('PUT', `/v2/certificates/${id}`, body);
const get = async (id: string) => (await service.call<Certificate>('GET', `/v2/certificates/${id}`)).data;
async function enter(part: object = {}): Promise<Certificate> {
  const answer = await post('', licence(part));
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
}

describe('the coverage of a certificate', () => {
  it('is shown as it was given, in the certificate, in lists and in the audit trail', async () => {
    const { certificateId, certificateNo, coverage } = await enter({ coverage: COVERAGE });
    expect(coverage).toEqual(COVERAGE);
    expect(await get(certificateId)).toMatchObject({ coverage: COVERAGE, coverageHistory: [] });
    const { data } = await service.call<{ items: Certificate[] }>(
      'GET',
      `/v2/certificates?certificateNo=${certificateNo}`,
    );
    expect(data.items.map((item) => [item.coverage, item.coverageHistory])).toEqual([[COVERAGE, undefined]]);
    const [entry] = await service.db.sql<{ after: Certificate }>(
      'select after from audit_entries where entity_id = $1',
      [certificateId],
    );
    expect(entry?.after.coverage).toEqual(COVERAGE);
  });

  it('is replaced with the rest of the content, and what was read can be put back', async () => {
    const made = await enter({ coverage: COVERAGE });
    const again = await put(made.certificateId, made);
    expect(again.data).toMatchObject({ coverage: COVERAGE, coverageHistory: [], version: 1 });
    const { certificateNo } = made;
    const least = { certificateNo, issuer: 'Office', validFrom: '2026-01-01' };
    expect((await put(made.certificateId, least)).data.coverage).toBeNull();
    expect((await put(made.certificateId, { ...least, coverage: null })).data.coverage).toBeNull();
  });

  it('is taken over by a renewal that gives none, and otherwise as given', async () => {
    const renewed = async (part: object) => {
      const { certificateId } = await enter({ coverage: COVERAGE });
      return (await post(`/${certificateId}/renew`, { validTo: null, ...part })).data;
    };
    expect(await renewed({})).toMatchObject({ coverage: COVERAGE, coverageHistory: [] });
    const narrower = [{ riskClasses: ['I'] }];
    expect((await renewed({ coverage: narrower })).coverage).toEqual(narrower);
    expect((await renewed({ coverage: null })).coverage).toBeNull();
  });

  it('stays with a certificate that is suspended and reinstated', async () => {
    const { certificateId } = await enter({ coverage: COVERAGE });
    expect((await post(`/${certificateId}/suspend`, { reason: 'x' })).data.coverage).toEqual(COVERAGE);
    expect((await post(`/${certificateId}/reinstate`, {})).data.coverage).toEqual(COVERAGE);
  });

  it.each<[string, unknown, string, string]>([
    ['no entries', [], 'bad_item_count', '/coverage'],
    ['an entry that names nothing', [{}], 'bad_item_count', '/coverage/0'],
    ['no risk classes', [{ riskClasses: [] }], 'bad_item_count', '/coverage/0/riskClasses'],
    ['no categories', [{ categories: [] }], 'bad_item_count', '/coverage/0/categories'],
    ['no exclusions', [{ categories: ['6846'], excludes: [] }], 'bad_item_count', '/coverage/0/excludes'],
    ['an unknown class', [{ riskClasses: ['IV'] }], 'not_allowed', '/coverage/0/riskClasses/0'],
    ['a class of the European Union', [{ riskClasses: ['IIb'] }], 'not_allowed', '/coverage/0/riskClasses/0'],
    [
      'a Roman numeral of one character',
      [{ riskClasses: ['Ⅲ'] }],
      'not_allowed',
      '/coverage/0/riskClasses/0',
    ],
    ['an unknown exclusion', [{ excludes: ['cold'] }], 'not_allowed', '/coverage/0/excludes/0'],
    ['a class twice', [{ riskClasses: ['I', 'I'] }], 'duplicate_item', '/coverage/0/riskClasses'],
    ['a category twice', [{ categories: ['6846', '6846'] }], 'duplicate_item', '/coverage/0/categories'],
    ['an exclusion twice', [{ excludes: ['sterile', 'sterile'] }], 'duplicate_item', '/coverage/0/excludes'],
    ['an entry twice', [{ riskClasses: ['I'] }, { riskClasses: ['I'] }], 'duplicate_item', '/coverage'],
    ['an unknown field', [{ classes: ['I'] }], 'unknown_field', '/coverage/0/classes'],
    ['another type', 'all', 'wrong_type', '/coverage'],
    ['null for a list', [{ riskClasses: null }], 'wrong_type', '/coverage/0/riskClasses'],
    [
      'a category that is too long',
      [{ categories: ['6'.repeat(65)] }],
      'bad_length',
      '/coverage/0/categories/0',
    ],
    [
      'too many categories',
      [{ categories: Array.from({ length: 51 }, (_, i) => `${i}`) }],
      'bad_item_count',
      '/coverage/0/categories',
    ],
    [
      'too many entries',
      Array.from({ length: 21 }, (_, i) => ({ categories: [`${i}`] })),
      'bad_item_count',
      '/coverage',
    ],
    [
      'a full-width asterisk',
      [{ categories: ['02＊'] }],
      'category_pattern_invalid',
      '/coverage/0/categories/0',
    ],
    [
      'an asterisk in the middle',
      [{ categories: ['*'] }, { categories: ['68', '6*46'] }],
      'category_pattern_invalid',
      '/coverage/1/categories/1',
    ],
  ])('cannot have %s', async (_, coverage, reason, path) => {
    const { certificateId } = await enter();
    const answers = [
      await post('', licence({ coverage })),
      await put(certificateId, { ...licence(), coverage }),
      await post(`/${certificateId}/renew`, { validTo: null, coverage }),
    ];
    for (const { status, json } of answers)
      expect([status, json.errors[0]?.reason, json.errors[0]?.path]).toEqual([400, reason, path]);
  });

  it('takes as many entries and categories as it may have', async () => {
    const categories = Array.from({ length: 50 }, (_, i) => `${i}-`.padEnd(63, 'x') + (i % 2 ? '*' : 'y'));
    const coverage = Array.from({ length: 20 }, (_, i) => ({
      categories: [...categories.slice(1), `own ${i}`],
    }));
    expect((await enter({ coverage })).coverage).toEqual(coverage);
  });

  it('keeps its history: what it was, what it became, when and by whom', async () => {
    const made = await enter();
    const changedBy = `owner@${service.org.organization.code}.example`;
    const narrow = [{ riskClasses: ['I'] }];
    const change = async (coverage: object[] | null) => {
      service.db.clock.advance(60_000);
      return (await put(made.certificateId, { ...made, coverage })).data;
    };
    await change(COVERAGE);
    // The same again is no change.
    await change(COVERAGE);
    await change(narrow);
    const shown = await change(null);
    const at = (minutes: number) => `2026-11-15T10:0${minutes}:00.000Z`;
    expect(shown.coverageHistory).toEqual([
      { previousCoverage: null, currentCoverage: COVERAGE, changedBy, changedAt: at(1) },
      { previousCoverage: COVERAGE, currentCoverage: narrow, changedBy, changedAt: at(3) },
      { previousCoverage: narrow, currentCoverage: null, changedBy, changedAt: at(4) },
    ]);
    expect(await get(made.certificateId)).toEqual(shown);
  });

  it('shows the last 50 changes of its history', async () => {
    const made = await enter();
    await service.db.sql(
      `insert into certificate_coverage_changes
       select org_id, certificate_id, n, null, jsonb_build_array(jsonb_build_object('categories', jsonb_build_array(n::text))), now(), 'x'
       from certificates, generate_series(1, 60) n where certificate_id = $1`,
      [made.certificateId],
    );
    const { coverageHistory = [] } = await get(made.certificateId);
    const categories = coverageHistory.map(
      (change) =>
        (change as { currentCoverage: { categories: string[] }[] }).currentCoverage[0]?.categories[0],
    );
    expect([categories.length, categories[0], categories.at(-1)]).toEqual([50, '11', '60']);
  });

  it('is a list of objects or nothing, also to a program that writes past the service', async () => {
    const { certificateId } = await enter();
    const write = (coverage: string) =>
      service.db.sql('update certificates set coverage = $2 where certificate_id = $1', [
        certificateId,
        coverage,
      ]);
    for (const wrong of ['{}', '[]', '"x"', '[1]', '[{}, []]', 'null'])
      await expect(write(wrong), wrong).rejects.toThrow('certificates_coverage_check');
    await write('[{"riskClasses": ["I"]}]');
  });
});
