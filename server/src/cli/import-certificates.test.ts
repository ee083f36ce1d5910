import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  GTIN,
  newOrganization,
  openTestDatabase,
  runCommand,
  sized,
  startApi,
  stockCatalogue,
  type TestApi,
  type TestDatabase,
} from '../../test/harness/index.js';
import type { ImportReport } from './import-file.js';

const HEADER = 'subjectType,subjectCode,type,certificateNo,issuer,validFrom,validTo';

describe('lotward import certificates', () => {
  let db: TestDatabase;
  let api: TestApi;
  let folder: string;
  let org: string;
  let orgId: string;
  let count = 0;
  beforeAll(async () => {
    db = await openTestDatabase();
    api = await startApi(db.database);
    folder = mkdtempSync(join(tmpdir(), 'lotward-certificates-'));
  });
  beforeEach(async () => {
    org = `crt-${++count}`;
    const made = await newOrganization(db, { code: org });
    orgId = made.organization.orgId;
    await stockCatalogue(api, made.key);
  });
  afterAll(async () => {
    await api.close();
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const importing = async (rows: readonly string[], header = HEADER, ...options: string[]) => {
    const file = join(folder, `${++count}.csv`);
    writeFileSync(file, `${[header, ...rows].join('\n')}\n`);
    const run = await runCommand(db, 'import', 'certificates', file, '--org', org, '--json', ...options);
    const report = run.out === '' ? null : (JSON.parse(run.out) as ImportReport);
    return { report, err: run.err, exitCode: run.exitCode };
  };
  const register = () =>
    db.sql<{ no: string; code: string; to: string | null; state: string; version: number }>(
      `select certificate_no as no, subject_code as code, valid_to::text as to, state, version from certificates
       where org_id = $1 order by certificate_no, subject_code`,
      [orgId],
    );

  it('creates certificates, and replaces those with the same subject, type and number the next time', async () => {
    const first = await importing([
      `product,${GTIN.slice(1)},registration,R-1,Office,2026-01-01,2030-12-31`,
      'supplier,SUP-1,licence,L-1,Office,2026-01-01,',
      'customer,HOSP-1,licence,L-1,Office,2026-01-01,2030-12-31',
    ]);
    expect(first.report).toEqual({
      created: 3,
      updated: 0,
      refused: 0,
      rows: [],
      written: true,
      encoding: 'UTF-8',
    });
    const second = await importing([
      `product,${GTIN},registration,R-1,Another office,2026-01-01,2031-12-31`,
      `product,${GTIN},registration,R-2,Office,2026-01-01,`,
    ]);
    expect(second.report).toMatchObject({ created: 1, updated: 1, refused: 0 });
    expect(await register()).toEqual([
      { no: 'L-1', code: 'HOSP-1', to: '2030-12-31', state: 'active', version: 1 },
      { no: 'L-1', code: 'SUP-1', to: null, state: 'active', version: 1 },
      { no: 'R-1', code: GTIN, to: '2031-12-31', state: 'active', version: 2 },
      { no: 'R-2', code: GTIN, to: null, state: 'active', version: 1 },
    ]);
    const audit = await db.sql<{ action: string; n: number }>(
      `select action, count(*)::integer as n from audit_entries where org_id = $1 and entity_type = 'certificate'
       group by 1 order by 1`,
      [orgId],
    );
    expect(audit).toEqual([
      { action: 'certificate.create', n: 4 },
      { action: 'certificate.update', n: 1 },
    ]);
  });

  it('writes nothing when a row is refused, and names line, column and reason of each', async () => {
    const { report, exitCode } = await importing([
      'supplier,SUP-1,licence,L-1,Office,2026-01-01,',
      'supplier,NOBODY,licence,L-2,Office,2026-01-01,',
      'supplier,HOSP-1,licence,L-3,Office,2026-01-01,',
      'product,NOTHING,licence,L-4,Office,2026-01-01,',
      'supplier,SUP-1,licence,L-5,Office,2026-01-01,2025-01-01',
    ]);
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ created: 0, refused: 4, written: false });
    expect(report?.rows.map(({ line, path, reason }) => [line, path, reason])).toEqual([
      [3, 'subjectCode', 'unknown_reference'],
      [4, 'subjectCode', 'wrong_partner_role'],
      [5, 'subjectCode', 'unknown_reference'],
      [6, 'validTo', 'validity_reversed'],
    ]);
    expect(await register()).toEqual([]);
  });

  it('writes the good rows with --partial; a certificate that stands twice is refused at the second', async () => {
    const { report } = await importing(
      [
        'supplier,SUP-1,licence,L-1,Office,2026-01-01,',
        'supplier,SUP-1,permit,L-1,Office,2026-01-01,',
        'supplier,SUP-1,licence,L-1,Office,2026-01-01,2030-01-01',
        'warehouse,WH-1,licence,L-2,Office,2026-01-01,',
        'supplier,SUP-1,licence,L-3,Office,01.01.2026,',
      ],
      HEADER,
      '--partial',
    );
    expect(report).toMatchObject({ created: 2, refused: 3, written: true });
    expect(report?.rows.map(({ line, path, reason }) => [line, path, reason])).toEqual([
      [4, 'certificateNo', 'duplicate_row'],
      [5, 'subjectType', 'not_allowed'],
      [6, 'validFrom', 'bad_format'],
    ]);
    expect(await register()).toHaveLength(2);
  });

  it('needs the columns of a certificate, and ignores those that the API answers and cannot be set', async () => {
    const { err } = await importing(['L-1'], 'certificateNo');
    expect(err).toContain('The header lacks: type, subjectType, subjectCode, issuer, validFrom');
    const row = 'supplier,SUP-1,licence,L-1,Office,2026-01-01,,revoked,7';
    const { report } = await importing([row], `${HEADER},status,version`);
    expect(report).toMatchObject({ created: 1 });
    expect(await register()).toEqual([{ no: 'L-1', code: 'SUP-1', to: null, state: 'active', version: 1 }]);
  });

  it('takes the products that a certificate covers, and all of them where the cell is empty', async () => {
    const covered = async (cell: string) => {
      const { report } = await importing(
        [`supplier,SUP-1,licence,L-1,Office,2026-01-01,,${cell}`],
        `${HEADER},coverage`,
      );
      const [row] = await db.sql<{ coverage: unknown }>(
        'select coverage from certificates where org_id = $1',
        [orgId],
      );
      return report?.refused === 0
        ? row?.coverage
        : report?.rows.map(({ path, reason }) => `${path} ${reason}`);
    };
    expect(await covered('II|III:6846|02*:implantable|sterile; I')).toEqual([
      { riskClasses: ['II', 'III'], categories: ['6846', '02*'], excludes: ['implantable', 'sterile'] },
      { riskClasses: ['I'] },
    ]);
    expect(await covered(': Reagents | Blood collection ;III::cold_chain')).toEqual([
      { categories: ['Reagents', 'Blood collection'] },
      { riskClasses: ['III'], excludes: ['cold_chain'] },
    ]);
    expect(await covered('')).toBeNull();
    expect(await covered('IV:*')).toEqual(['coverage not_allowed']);
    expect(await covered('III:6*46')).toEqual(['coverage category_pattern_invalid']);
    expect(await covered('::')).toEqual(['coverage bad_item_count']);
  });

  it('sends one notification for each certificate that expires soon', async () => {
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const row = `supplier,SUP-1,licence,L-1,Office,2026-01-01,${soon}`;
    await importing([row]);
    await importing([row]);
    const events = await db.sql(
      "select 1 from events where org_id = $1 and event_type like 'certificate.%'",
      [orgId],
    );
    expect(events).toHaveLength(1);
  });

  it(`takes ${sized(1_100, 10_000)} rows, and takes them again`, async () => {
    const rowsUntil = (day: string) =>
      Array.from(
        { length: sized(1_100, 10_000) },
        (_, i) => `product,${i % 2 ? 'PUMP-1' : 'GLOVE-1'},registration,N-${i},Office,2020-01-01,${day}`,
      );
    const took = async (rows: string[]) => {
      const from = performance.now();
      const { report } = await importing(rows);
      return { report, perRow: (performance.now() - from) / rows.length };
    };
    const first = await took(rowsUntil('2035-01-01'));
    expect(first.report).toMatchObject({ created: sized(1_100, 10_000), refused: 0 });
    const second = await took(rowsUntil('2036-01-01'));
    expect(second.report).toMatchObject({ created: 0, updated: sized(1_100, 10_000) });
    // Well below a millisecond each; only a search through the whole register for each row would take this long.
    for (const { perRow } of [first, second]) expect(perRow).toBeLessThan(10);
  });
});
