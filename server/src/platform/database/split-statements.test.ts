import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitStatements } from './split-statements.js';

describe('splitting a migration into statements', () => {
  it('one statement for each semicolon that ends one', () => {
    expect(splitStatements('select 1; select 2 ;\nselect 3;\n')).toEqual([
      'select 1',
      'select 2',
      'select 3',
    ]);
    expect(splitStatements('')).toEqual([]);
    expect(splitStatements('-- nothing; here\n')).toEqual([]);
  });

  it.each([
    ['a text', `insert into t values ('a;b', 'it''s;')`],
    ['a quoted name', 'create table "a;b" (x text)'],
    ['a line comment', 'create table t ( -- first; second\n  x text)'],
    ['a block comment', 'create /* a; b */ table t (x text)'],
    ['a function body', 'create function f() returns int language sql as $$ select 1; select 2; $$'],
    ['a comment mark in a text', `select '--', '/*', '$$', '"'`],
    ['a text mark in a comment', `select 1 -- it's\n, 2`],
  ])('a semicolon hidden in %s ends nothing', (_what, sql) => {
    expect(splitStatements(`select 0;${sql};select 9;`)).toEqual(['select 0', sql, 'select 9']);
  });

  it('a statement without its semicolon, or a text without its end, is refused and not dropped', () => {
    for (const sql of ['select 1; select 2', `select 'open;`, 'do $$ begin;', 'select /* open;'])
      expect(() => splitStatements(sql)).toThrow('statement without a semicolon');
  });

  it('our own migrations come apart into statements that each begin like one', () => {
    const folder = new URL('../../../migrations/', import.meta.url);
    for (const file of readdirSync(folder)) {
      const statements = splitStatements(readFileSync(new URL(file, folder), 'utf8'));
      expect(statements.length).toBeGreaterThan(0);
      for (const statement of statements)
        expect(statement.replace(/^\s*--.*$/gm, '').trim()).toMatch(
          /^(create|alter|grant|revoke|insert|update|delete|drop|comment|select|with|do|set|analyze)\b/i,
        );
    }
  });
});
