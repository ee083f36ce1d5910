import { describe, expect, it } from 'vitest';
import { ApiError } from '../errors/index.js';
import { canonicalJson, parseJsonBody, pointer } from './json-body.js';

const parse = (text: string) => parseJsonBody(Buffer.from(text));
function refusal(bytes: Buffer | string): string {
  try {
    parseJsonBody(Buffer.from(bytes));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.issues[0]?.reason} ${error.issues[0]?.path}`;
  }
  return 'accepted';
}

describe('reading a body', () => {
  it('gives what was sent, and undefined for nothing', () => {
    const value = { a: [1, -0.5, 'é🩺', null, true], b: {}, n: 9_007_199_254_740_991 };
    expect(parse(JSON.stringify(value))).toEqual(value);
    expect(parse('')).toBeUndefined();
    expect(parse('\ufeff{}')).toEqual({});
  });

  it.each([
    ['{', 'bad_json null'],
    ['{"a":01}', 'bad_json null'],
    ["{'a':1}", 'bad_json null'],
    ['NaN', 'bad_json null'],
    ['{"a":1e400}', 'bad_number /a'],
    ['{"a":[1,-9007199254740992]}', 'bad_number /a/1'],
    ['{"a":1e21}', 'bad_number /a'],
    ['{"a":1.5e300}', 'bad_number /a'],
    ['{"a":"x\\u0000"}', 'bad_text /a'],
    ['{"a":"\\udc00"}', 'bad_text /a'],
    ['{"\\ud800":1}', 'unknown_field /\ufffd'],
    ['{"a":{"__proto__":1}}', 'unknown_field /a/__proto__'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, `too_deep ${'/0'.repeat(32)}`],
    [`${'['.repeat(32)}${']'.repeat(32)}`, 'accepted'],
  ])('%s: %s', (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  it('bytes that are not UTF-8 are not guessed at', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc3, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
    ])
      expect(refusal(Buffer.from(bytes))).toBe('bad_json null');
  });
});

describe('canonical JSON', () => {
  it('is the same for bodies that mean the same, and only for those', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
    expect(canonicalJson(parse('{"x":1.0,"y":"\\u0041"}'))).toBe(canonicalJson(parse('{"y":"A", "x":1}')));
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
    expect(canonicalJson({ a: '1' })).not.toBe(canonicalJson({ a: 1 }));
  });
});

describe('pointers', () => {
  it('escape what JSON Pointer escapes', () => {
    expect(pointer('a/b~c')).toBe('a~1b~0c');
  });
});
