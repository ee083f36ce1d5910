import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/harness/index.js';
import { bulkRows } from './bulk-rows.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const lines = bulkRows({
  line_no: 'integer',
  code: 'text',
  price: 'numeric',
  at: 'timestamptz',
  day: 'date',
});
const given = [
  { no: 2, code: 'B', price: '1.50', at: new Date('2026-11-15T10:00:00Z'), day: '2026-11-15' },
  { no: 1, code: null, price: null, at: null, day: null },
];
const toRow = (line: (typeof given)[number]) => ({
  // In another order than declared: names match, not places.
  code: line.code,
  line_no: line.no,
  day: line.day,
  at: line.at,
  price: line.price,
});

it('names each row once, however many there are, with the same text', () => {
  expect(lines.from('l', 3)).toBe(
    'unnest($3::integer[], $4::text[], $5::numeric[], $6::timestamptz[], $7::date[]) as l(line_no, code, price, at, day)',
  );
  expect(lines.names()).toBe('line_no, code, price, at, day');
  expect(lines.names('l')).toBe('l.line_no, l.code, l.price, l.at, l.day');
  expect(lines.values([], toRow)).toEqual(['{}', '{}', '{}', '{}', '{}']);
});

it('brings every value into its own column', async () => {
  const values = lines.values(given, toRow);
  expect(values).toEqual([
    '{2,1}',
    '{"B",NULL}',
    '{"1.50",NULL}',
    '{"2026-11-15T10:00:00.000Z",NULL}',
    '{"2026-11-15",NULL}',
  ]);
  const text = `select l.line_no, l.code, l.price::text, l.at = '2026-11-15T10:00:00Z' as at, l.day::text
    from ${lines.from('l', 1)} order by l.line_no`;
  expect(await db.sql(text, values)).toEqual([
    { line_no: 1, code: null, price: null, at: null, day: null },
    { line_no: 2, code: 'B', price: '1.50', at: true, day: '2026-11-15' },
  ]);
});

it('brings numbers, null among them, and bytes through unchanged, whether given by row or by column', async () => {
  const measured = bulkRows({ count: 'bigint', degrees: 'float8', hash: 'bytea' });
  const count = [Number.MAX_SAFE_INTEGER, null, 0];
  const degrees = [0.1 + 0.2, -1e-300, null];
  const hash = [Buffer.from([0, 255]), null, Buffer.alloc(0)];
  const byColumn = measured.arrays({ hash, degrees, count });
  const byRow = measured.values([0, 1, 2], (i) => ({
    count: count[i] ?? null,
    degrees: degrees[i] ?? null,
    hash: hash[i] ?? null,
  }));
  expect(byRow).toEqual(byColumn);
  const text = `select m.place::integer, m.count::text, m.degrees, m.hash from ${measured.fromPlaced('m', 1)} order by m.place`;
  expect(await db.sql(text, byColumn)).toEqual([
    { place: 1, count: '9007199254740991', degrees: 0.1 + 0.2, hash: hash[0] },
    { place: 2, count: null, degrees: -1e-300, hash: null },
    { place: 3, count: '0', degrees: null, hash: hash[2] },
  ]);
});

it('brings every text through unchanged, also characters that mean something in an array', async () => {
  const texts = [
    '',
    ' ',
    'NULL',
    'null',
    '{}',
    '{a,b}',
    ',',
    '"',
    '\\',
    '\\"',
    '\\\\',
    "'",
    'a\nb',
    '批号 😀',
    '{"a":"\\"b\\""}',
    null,
  ];
  const columns = bulkRows({ text: 'text', flag: 'boolean' });
  const values = columns.values(texts, (text) => ({ text, flag: text === null ? null : text === '' }));
  const rows = await db.sql<{ text: string | null; flag: boolean | null }>(
    `select t.text, t.flag from ${columns.fromPlaced('t', 1)} order by t.place`,
    values,
  );
  expect(rows).toEqual(texts.map((text) => ({ text, flag: text === null ? null : text === '' })));
});

it('brings JSON through unchanged as lines, in any number, null among them', async () => {
  const columns = bulkRows({ no: 'integer', json: 'lines' });
  const values = [{ text: 'a "quoted"\nline, {\\}\u2028' }, null, ['批号 😀'], ''].map((value) =>
    value === null ? null : JSON.stringify(value),
  );
  for (const given of [values, values.toReversed(), [null], [null, null], ['0'], []]) {
    const rows = await db.sql<{ json: string | null }>(
      `select l.json from ${columns.fromPlaced('l', 1)} order by l.place`,
      columns.values(given, (json) => ({ no: 1, json })),
    );
    expect(rows.map(({ json }) => json)).toEqual(given);
  }
});

it('brings instants through to the millisecond, from the first year to the last', async () => {
  const instants = ['0001-01-01T00:00:00.000Z', '2026-11-15T10:00:00.001Z', '9999-12-31T23:59:59.999Z'].map(
    (text) => new Date(text),
  );
  const columns = bulkRows({ at: 'timestamptz' });
  const rows = await db.sql<{ at: Date }>(
    `select a.at from ${columns.fromPlaced('a', 1)} order by a.place`,
    columns.values(instants, (at) => ({ at })),
  );
  expect(rows.map(({ at }) => at)).toEqual(instants);
});

it('does not compile with a missing, a surplus or a mistyped column', () => {
  const two = bulkRows({ code: 'text', quantity: 'integer' });
  expect(two.values([1], (quantity) => ({ code: 'A', quantity }))).toEqual(['{"A"}', '{1}']);
  // @ts-expect-error the quantity is missing
  two.values([1], () => ({ code: 'A' }));
  // @ts-expect-error there is no column `amount`
  two.values([1], (quantity) => ({ code: 'A', quantity, amount: 1 }));
  // @ts-expect-error the quantity is a number
  two.values(['1'], (quantity) => ({ code: 'A', quantity }));
});
