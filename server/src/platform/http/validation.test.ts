import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import {
  DateText,
  Instant,
  Nullable,
  OneOf,
  PageQuery,
  Prose,
  Quantity,
  Repeated,
  Strict,
  Text,
} from './schema.js';
import { compile } from './validation.js';

const Body = Strict({
  name: Text(10),
  note: Type.Optional(Prose(20)),
  kind: Type.Optional(OneOf(['a', 'b'] as const)),
  quantity: Type.Optional(Quantity(1)),
  day: Type.Optional(Nullable(DateText())),
  at: Type.Optional(Instant()),
  lines: Type.Optional(Type.Array(Strict({ lineNo: Type.Integer() }), { minItems: 1, maxItems: 2 })),
  codes: Type.Optional(Type.Array(Text(5), { uniqueItems: true })),
  'a/b': Type.Optional(Type.Boolean()),
});
const issues = (value: unknown) =>
  (compile(Body, 'body')(value)?.issues ?? []).map(({ path, reason }) => `${path} ${reason}`);

describe('what is wrong with a body is said by place and reason', () => {
  it.each<[object, string]>([
    [{}, '/name required'],
    [{ name: 'x', nope: 1 }, '/nope unknown_field'],
    [{ name: 1 }, '/name wrong_type'],
    [{ name: null }, '/name wrong_type'],
    [{ name: 'x'.repeat(11) }, '/name bad_length'],
    [{ name: ' x' }, '/name bad_format'],
    [{ name: 'a\nb' }, '/name bad_format'],
    [{ name: 'x', kind: 'c' }, '/kind not_allowed'],
    [{ name: 'x', quantity: 0 }, '/quantity out_of_range'],
    [{ name: 'x', quantity: 2_000_000_001 }, '/quantity out_of_range'],
    [{ name: 'x', quantity: 1.5 }, '/quantity wrong_type'],
    [{ name: 'x', quantity: '1' }, '/quantity wrong_type'],
    [{ name: 'x', day: '2026-02-29' }, '/day bad_format'],
    [{ name: 'x', at: '2026-02-28T10:00:00' }, '/at bad_format'],
    [{ name: 'x', at: '2026-02-28T10:00:00 01:00' }, '/at bad_format'],
    [{ name: 'x', lines: [] }, '/lines bad_item_count'],
    [{ name: 'x', lines: [{ lineNo: 1 }, { lineNo: 'two' }] }, '/lines/1/lineNo wrong_type'],
    [{ name: 'x', lines: [{ lineNo: 1, extra: 1 }] }, '/lines/0/extra unknown_field'],
    [{ name: 'x', codes: ['a', 'a'] }, '/codes duplicate_item'],
    [{ name: 'x', 'a/b': 1 }, '/a~1b wrong_type'],
    [[], ' wrong_type'],
  ])('%j: %s', (value, expected) => {
    expect(issues(value)).toEqual([expected]);
  });

  it('all of it is said at once, up to twenty', () => {
    expect(issues({ nope: 1, quantity: 0 }).sort()).toEqual([
      '/name required',
      '/nope unknown_field',
      '/quantity out_of_range',
    ]);
    expect(issues(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`x${i}`, 1])))).toHaveLength(20);
  });

  it('what is right passes, unchanged', () => {
    const value = { name: 'Ärztin 1', note: 'two\nlines', day: null, at: '2026-02-28T10:00:00.123Z' };
    const before = structuredClone(value);
    expect(issues(value)).toEqual([]);
    expect(value).toEqual(before);
  });

  it('an instant in any spelling is the same instant in UTC behind it, wherever it stands', () => {
    const Nested = Strict({
      lines: Type.Array(Strict({ at: Nullable(Instant()) })),
      times: Type.Array(Instant()),
    });
    const value = {
      lines: [{ at: '2026-02-28T11:00:00+01:00' }, { at: null }],
      times: ['2026-02-28t10:00:00z'],
    };
    expect(compile(Nested, 'body')(value)).toBeNull();
    expect(value).toEqual({
      lines: [{ at: '2026-02-28T10:00:00.000Z' }, { at: null }],
      times: ['2026-02-28T10:00:00.000Z'],
    });
  });

  it('the allowed values are named', () => {
    const [issue] = compile(Body, 'body')({ name: 'x', kind: 'c' })?.issues ?? [];
    expect(issue?.message).toBe('must be equal to one of the allowed values: a, b');
    const Open = Strict({ kind: Nullable(OneOf(['a', 'b'] as const)) });
    const [other] = compile(Open, 'body')({ kind: 'c' })?.issues ?? [];
    expect(other?.message).toBe('must be equal to one of the allowed values: a, b, null');
  });
});

describe('what is wrong with a query is said by name and reason', () => {
  const Query = Strict({
    ...PageQuery,
    name: Type.Optional(Type.String({ minLength: 1 })),
    status: Type.Optional(Repeated(OneOf(['open', 'done'] as const), 2)),
  });
  const validate = compile(Query, 'querystring');

  it('numbers are read from text', () => {
    const query = { limit: '20' };
    expect(validate(query)).toBeNull();
    expect(query).toEqual({ limit: 20 });
  });

  it('a parameter that may be repeated is an array, however often it is given', () => {
    for (const [status, expected] of [
      ['open', ['open']],
      [
        ['open', 'done'],
        ['open', 'done'],
      ],
    ]) {
      const query = { status };
      expect(validate(query)).toBeNull();
      expect(query).toEqual({ status: expected });
    }
  });

  it('a plus sign that was decoded to a space is one again', () => {
    const validateAt = compile(Strict({ at: Instant() }), 'querystring');
    for (const at of ['2026-02-28T10:00:00 01:00', '2026-02-28T10:00:00 0100', '2026-02-28T10:00:00 01']) {
      const query = { at };
      expect([at, validateAt(query)]).toEqual([at, null]);
      expect(query).toEqual({ at: '2026-02-28T09:00:00.000Z' });
    }
    expect(validateAt({ at: '2026-02-28 10:00:00Z' })?.issues).toHaveLength(1);
    expect(validateAt({ at: '2026-02-28T10:00:00  01:00' })?.issues).toHaveLength(1);
  });

  it.each<[object, string]>([
    [{ limit: 'ten' }, 'limit wrong_type'],
    [{ limit: '0' }, 'limit out_of_range'],
    [{ limit: ['1', '2'] }, 'limit wrong_type'],
    [{ name: ['a', 'b'] }, 'name wrong_type'],
    [{ status: 'lost' }, 'status not_allowed'],
    [{ status: ['open', 'lost'] }, 'status not_allowed'],
    [{ status: ['open', 'open', 'done'] }, 'status bad_item_count'],
    [{ status: ['open', 'a\u0000b'] }, 'status bad_text'],
    [{ name: '' }, 'name bad_length'],
    [{ name: 'a\u0000' }, 'name bad_text'],
    [{ Name: 'a' }, 'Name unknown_parameter'],
  ])('%j: %s', (query, expected) => {
    const found = validate(query)?.issues.map(({ path, reason }) => `${path} ${reason}`);
    expect(found).toEqual([expected]);
  });
});

describe('checking a body costs no more than reading it', () => {
  const Rule = Strict({ kind: OneOf(['a', 'b'] as const), type: Text(20) });
  const Many = Strict({
    rules: Type.Optional(Type.Array(Rule, { maxItems: 100, uniqueItems: true })),
    codes: Type.Optional(Type.Array(OneOf(['a', 'b'] as const), { uniqueItems: true })),
    lines: Type.Optional(Type.Array(Rule)),
  });
  const COUNT = 15_000;

  /** Objects that count how often any of them is read. */
  const counted = (make: (n: number) => object) => {
    let reads = 0;
    const items = Array.from(
      { length: COUNT },
      (_, n) =>
        new Proxy(make(n), {
          get(item, name) {
            reads++;
            return Reflect.get(item, name);
          },
        }),
    );
    return { items, reads: () => reads };
  };
  const found = (value: unknown) =>
    (compile(Many, 'body')(value)?.issues ?? []).map(({ path, reason }) => `${path} ${reason}`);

  it('an array that is too long is refused by its length', () => {
    const { items, reads } = counted((n) => ({ kind: 'a', type: `T${n}` }));
    expect(found({ rules: items })).toEqual(['/rules bad_item_count']);
    expect(reads()).toBeLessThan(COUNT);
  });

  it('items of a wrong kind are not compared with each other', () => {
    const { items, reads } = counted((n) => ({ n }));
    expect(found({ codes: items })[0]).toBe('/codes/0 wrong_type');
    expect(reads()).toBeLessThan(10 * COUNT);
  });

  it('one wrong item at the end is found, with no more work than for one at the beginning', () => {
    const { items, reads } = counted((n) => ({ kind: n === COUNT - 1 ? 'c' : 'a', type: 'T' }));
    expect(found({ lines: items })).toEqual([`/lines/${COUNT - 1}/kind not_allowed`]);
    expect(reads()).toBeLessThan(10 * COUNT);
  });

  it('of many wrong items the first twenty are named', () => {
    const lines = Array.from({ length: COUNT }, () => ({ kind: 'c', type: 'T' }));
    expect(found({ lines })).toEqual(Array.from({ length: 20 }, (_, n) => `/lines/${n}/kind not_allowed`));
  });

  it('a part of a large item is not judged as if it were all of it', () => {
    const Nested = Strict({ lines: Type.Array(Strict({ serials: Type.Array(Text(5), { minItems: 1 }) })) });
    const serials = Array.from({ length: 1_500 }, () => 'S');
    const lines = [{ serials }, { serials }, { serials: [7] }];
    const [issue, ...others] = compile(Nested, 'body')({ lines })?.issues ?? [];
    expect(issue?.path).toBe('/lines/2/serials/0');
    expect(others).toEqual([]);
  });

  it('equal objects are duplicates however their fields are ordered, and a text is none of an object', () => {
    const rules = [
      { kind: 'a', type: 'T' },
      { kind: 'b', type: 'T' },
    ];
    expect(found({ rules })).toEqual([]);
    expect(found({ rules: [...rules, { type: 'T', kind: 'b' }] })).toEqual(['/rules duplicate_item']);
    const Mixed = Strict({ items: Type.Array(Type.Unknown(), { uniqueItems: true }) });
    expect(compile(Mixed, 'body')({ items: ['{"a":1}', { a: 1 }, '1', 1, null, 'null'] })).toBeNull();
    expect(compile(Mixed, 'body')({ items: [null, null] })?.issues).toHaveLength(1);
  });
});
