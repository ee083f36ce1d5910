/** The schema after the last migration: the tables, views, sequences and functions that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const withoutBodies = (sql) => sql.replace(/--[^\n]*/g, '').replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''");
const name = '(?:if (?:not )?exists )?(?:lotward\\.)?"?([a-z_][a-z_0-9]*)"?';
const kinds = 'table|(?:materialized )?view|sequence';
const patterns = [
  [new RegExp(`\\bcreate (?:or replace )?(?:unlogged )?(?:${kinds}) ${name}`, 'g'), 'create'],
  [new RegExp(`\\bdrop (?:${kinds}) ${name}`, 'g'), 'drop'],
  [new RegExp(`\\balter (?:${kinds}) ${name} rename to ${name}`, 'g'), 'rename'],
];
const functions = [
  [new RegExp(`\\bcreate (?:or replace )?(?:function|procedure) ${name}`, 'g'), 'create'],
  [new RegExp(`\\bdrop (?:function|procedure) ${name}`, 'g'), 'drop'],
];

function apply(sql, steps, existing) {
  const found = steps.flatMap(([pattern, verb]) =>
    [...sql.matchAll(pattern)].map((match) => ({ verb, at: match.index, from: match[1], to: match[2] })),
  );
  for (const { verb, from, to } of found.sort((a, b) => a.at - b.at)) {
    if (verb !== 'create') existing.delete(from);
    if (verb !== 'drop') existing.add(to ?? from);
  }
}

/** Tables that code itself creates, before there are migrations to run. */
export function tablesCreatedIn(text) {
  const created = new Set();
  apply(text.toLowerCase().replace(/\s+/g, ' '), patterns.slice(0, 1), created);
  return created;
}

export function readMigrations(folder) {
  const tables = new Set();
  const calls = new Set();
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  for (const file of files) {
    const sql = withoutBodies(readFileSync(path.join(folder, file), 'utf8'))
      .toLowerCase()
      .replace(/\s+/g, ' ');
    apply(sql, patterns, tables);
    apply(sql, functions, calls);
  }
  return { files: files.length, tables, functions: calls };
}
