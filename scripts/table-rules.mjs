/*
 * Every table has one owner, declared in server/src/table-owners.json. Fails where the SQL of server/src names a table of
 * another slice: that goes through a function or SQL fragment of the owner's index.ts. Compares the declaration with the
 * migrations, too, and fails when it read less than there must be.
 *
 *   node scripts/table-rules.mjs [--root <folder>] [--statements-min <count>] [--tables-min <count>]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { readMigrations, tablesCreatedIn } from './table-rules/migrations.mjs';
import { callsIn, cteNamesIn, HOLE, isStatement, looksLikeSql, tablesIn } from './table-rules/sql.mjs';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const EXCEPTIONS_MAX = 10;
const REASON_LENGTH_MIN = 20;
const isSource = (file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(file);

class TableRules {
  findings = [];
  #root;
  #source;
  #owners;
  #functionOwners;
  #exceptions;
  #usedExceptions = new Set();
  #created = new Set();

  constructor(root) {
    this.#root = root;
    this.#source = path.join(root, 'server/src');
    const declaration = JSON.parse(readFileSync(path.join(this.#source, 'table-owners.json'), 'utf8'));
    this.#owners = this.#ownersOf(declaration.tables, 'table');
    this.#functionOwners = this.#ownersOf(declaration.functions ?? {}, 'function');
    this.#exceptions = declaration.exceptions ?? [];
  }

  /** Fills `findings`, and counts what it read. */
  async judge() {
    const migrations = readMigrations(path.join(this.#root, 'server/migrations'));
    const statements = readdirSync(this.#source, { recursive: true })
      .filter(isSource)
      .sort()
      .reduce((count, file) => count + this.#judgeFile(path.join(this.#source, file)), 0);
    for (const name of this.#created) migrations.tables.add(name);
    this.#compareWithMigrations(migrations);
    await this.#judgeExceptions();
    return { statements, tables: migrations.tables.size, exceptions: this.#exceptions.length };
  }

  #ownersOf(bySlice, kind) {
    const found = new Map();
    for (const [slice, names] of Object.entries(bySlice)) {
      if (!existsSync(path.join(this.#source, slice)))
        this.findings.push(`unknown-owner: there is no folder server/src/${slice}`);
      for (const name of names) {
        if (found.has(name))
          this.findings.push(`two-owners: ${kind} ${name} is declared by ${found.get(name)} and ${slice}`);
        found.set(name, slice);
      }
    }
    return found;
  }

  #compareWithMigrations({ tables, functions }) {
    const pairs = [
      [tables, this.#owners, 'table'],
      [functions, this.#functionOwners, 'function'],
    ];
    for (const [existing, declared, kind] of pairs) {
      for (const name of existing) {
        if (!declared.has(name))
          this.findings.push(`undeclared: ${kind} ${name} of the migrations has no owner`);
      }
      for (const name of declared.keys()) {
        if (!existing.has(name))
          this.findings.push(`gone: ${kind} ${name} is declared, and no migration leaves one`);
      }
    }
  }

  /** String literals of a file, with what templates compute replaced by a mark. */
  #literalsOf(file) {
    const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const literals = [];
    const visit = (node) => {
      const line = () => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
        literals.push({ text: node.text, line: line() });
      } else if (ts.isTemplateExpression(node)) {
        const rest = node.templateSpans.map((span) => HOLE + span.literal.text).join('');
        literals.push({ text: node.head.text + rest, line: line() });
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
    for (const { text } of literals) for (const name of tablesCreatedIn(text)) this.#created.add(name);
    return literals.filter(({ text }) => looksLikeSql(text));
  }

  /** Folders with a role of their own count as slices here: platform, app and cli touch tables as others do. */
  #judgeFile(file) {
    const shown = path.relative(this.#root, file).split(path.sep).join('/');
    const slice = shown.split('/')[2].replace(/\.ts$/, '');
    const literals = this.#literalsOf(file);
    const own = new Set(literals.flatMap(({ text }) => cteNamesIn(text)));
    for (const name of own) {
      if (this.#owners.has(name))
        this.findings.push(`hidden-table: ${shown}: a query of its own is named like the table ${name}`);
    }
    for (const { text, line } of literals) {
      const at = `${shown}:${line}`;
      for (const table of new Set(tablesIn(text))) {
        if (this.#owners.has(table)) this.#judgeUse(slice, table, at);
        else if (
          isStatement(text) &&
          !own.has(table) &&
          !/^(?:pg_|citus_|information_schema\.|old$|new$|excluded$)/.test(table)
        )
          this.findings.push(`undeclared: ${at}: ${table} is no declared table`);
      }
      for (const call of new Set(callsIn(text))) {
        const owner = this.#functionOwners.get(call);
        if (owner !== undefined && owner !== slice && owner !== 'platform')
          this.findings.push(`foreign-function: ${at}: ${slice} calls ${call}, a function of ${owner}`);
      }
    }
    return literals.length;
  }

  #judgeUse(slice, table, at) {
    const owner = this.#owners.get(table);
    if (owner === slice) return;
    const exception = this.#exceptions.find((each) => each.slice === slice && each.table === table);
    if (exception) this.#usedExceptions.add(exception);
    else this.findings.push(`foreign-table: ${at}: ${slice} touches ${table}, a table of ${owner}`);
  }

  async #judgeExceptions() {
    if (this.#exceptions.length > EXCEPTIONS_MAX)
      this.findings.push(
        `too-many-exceptions: ${this.#exceptions.length}, and ${EXCEPTIONS_MAX} is the most`,
      );
    if (this.#exceptions.length === 0) return;
    // Loaded only here: the import graph takes longer to read than all of the SQL.
    const { cruiseCode, sliceGraph, trailBetween } = await import('./import-rules/slice-graph.mjs');
    const graph = sliceGraph((await cruiseCode(this.#root)).modules);
    for (const exception of this.#exceptions) {
      const { slice, table, reason = '' } = exception;
      const shown = `${slice} → ${table}`;
      if (reason.trim().length < REASON_LENGTH_MIN) this.findings.push(`exception-without-reason: ${shown}`);
      if (!this.#usedExceptions.has(exception)) this.findings.push(`unused-exception: ${shown}`);
      const trail = trailBetween(graph, this.#owners.get(table), slice);
      if (trail) this.findings.push(`exception-against-imports: ${shown}: ${trail.join(' imports ')}`);
    }
  }
}

/** The verdict on the tree under `root`: the lines to print, and the exit code. */
export async function checkTables(root, { statementsMin, tablesMin }) {
  const rules = new TableRules(root);
  const { statements, tables, exceptions } = await rules.judge();
  const { findings } = rules;
  const lines = [
    ...findings,
    `table owners: ${statements} SQL statements, ${tables} tables, ${exceptions} exceptions, ${findings.length} findings`,
  ];
  const isProven = statements >= statementsMin && tables >= tablesMin;
  if (!isProven)
    lines.push(
      `table owners: expected ${statementsMin} SQL statements and ${tablesMin} tables, so nothing is proven`,
    );
  return { lines, code: findings.length > 0 || !isProven ? 1 : 0 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      root: { type: 'string', default: REPOSITORY },
      'statements-min': { type: 'string', default: '300' },
      'tables-min': { type: 'string', default: '50' },
    },
  });
  const { lines, code } = await checkTables(values.root, {
    statementsMin: Number(values['statements-min']),
    tablesMin: Number(values['tables-min']),
  });
  console.log(lines.join('\n'));
  process.exitCode = code;
}
