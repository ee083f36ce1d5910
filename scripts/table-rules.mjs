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

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    'statements-min': { type: 'string', default: '300' },
    'tables-min': { type: 'string', default: '50' },
  },
});
const EXCEPTIONS_MAX = 10;
const REASON_LENGTH_MIN = 20;
const source = path.join(values.root, 'server/src');
const findings = [];

const declaration = JSON.parse(readFileSync(path.join(source, 'table-owners.json'), 'utf8'));
const owners = ownersOf(declaration.tables, 'table');
const functionOwners = ownersOf(declaration.functions ?? {}, 'function');
const exceptions = declaration.exceptions ?? [];

function ownersOf(bySlice, kind) {
  const found = new Map();
  for (const [slice, names] of Object.entries(bySlice)) {
    if (!existsSync(path.join(source, slice)))
      findings.push(`unknown-owner: there is no folder server/src/${slice}`);
    for (const name of names) {
      if (found.has(name))
        findings.push(`two-owners: ${kind} ${name} is declared by ${found.get(name)} and ${slice}`);
      found.set(name, slice);
    }
  }
  return found;
}

function compareWithMigrations({ tables, functions }) {
  const pairs = [
    [tables, owners, 'table'],
    [functions, functionOwners, 'function'],
  ];
  for (const [existing, declared, kind] of pairs) {
    for (const name of existing) {
      if (!declared.has(name)) findings.push(`undeclared: ${kind} ${name} of the migrations has no owner`);
    }
    for (const name of declared.keys()) {
      if (!existing.has(name))
        findings.push(`gone: ${kind} ${name} is declared, and no migration leaves one`);
    }
  }
}

const created = new Set();
/** String literals of a file, with what templates compute replaced by a mark. */
function literalsOf(file) {
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
  for (const { text } of literals) for (const name of tablesCreatedIn(text)) created.add(name);
  return literals.filter(({ text }) => looksLikeSql(text));
}

/** Folders with a role of their own count as slices here: platform, app and cli touch tables as others do. */
function judgeFile(file) {
  const shown = path.relative(values.root, file).split(path.sep).join('/');
  const slice = shown.split('/')[2].replace(/\.ts$/, '');
  const literals = literalsOf(file);
  const own = new Set(literals.flatMap(({ text }) => cteNamesIn(text)));
  for (const name of own) {
    if (owners.has(name))
      findings.push(`hidden-table: ${shown}: a query of its own is named like the table ${name}`);
  }
  for (const { text, line } of literals) {
    const at = `${shown}:${line}`;
    for (const table of new Set(tablesIn(text))) {
      if (owners.has(table)) judgeUse(slice, table, at);
      else if (
        isStatement(text) &&
        !own.has(table) &&
        !/^(?:pg_|information_schema\.|old$|new$|excluded$)/.test(table)
      )
        findings.push(`undeclared: ${at}: ${table} is no declared table`);
    }
    for (const call of new Set(callsIn(text))) {
      const owner = functionOwners.get(call);
      if (owner !== undefined && owner !== slice && owner !== 'platform')
        findings.push(`foreign-function: ${at}: ${slice} calls ${call}, a function of ${owner}`);
    }
  }
  return literals.length;
}

const usedExceptions = new Set();
function judgeUse(slice, table, at) {
  const owner = owners.get(table);
  if (owner === slice) return;
  const exception = exceptions.find((each) => each.slice === slice && each.table === table);
  if (exception) usedExceptions.add(exception);
  else findings.push(`foreign-table: ${at}: ${slice} touches ${table}, a table of ${owner}`);
}

async function judgeExceptions() {
  if (exceptions.length > EXCEPTIONS_MAX)
    findings.push(`too-many-exceptions: ${exceptions.length}, and ${EXCEPTIONS_MAX} is the most`);
  if (exceptions.length === 0) return;
  // Loaded only here: the import graph takes longer to read than all of the SQL.
  const { cruiseCode, sliceGraph, trailBetween } = await import('./import-rules/slice-graph.mjs');
  const graph = sliceGraph((await cruiseCode(values.root)).modules);
  for (const exception of exceptions) {
    const { slice, table, reason = '' } = exception;
    const shown = `${slice} → ${table}`;
    if (reason.trim().length < REASON_LENGTH_MIN) findings.push(`exception-without-reason: ${shown}`);
    if (!usedExceptions.has(exception)) findings.push(`unused-exception: ${shown}`);
    const trail = trailBetween(graph, owners.get(table), slice);
    if (trail) findings.push(`exception-against-imports: ${shown}: ${trail.join(' imports ')}`);
  }
}

const isSource = (file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(file);
const migrations = readMigrations(path.join(values.root, 'server/migrations'));
const statements = readdirSync(source, { recursive: true })
  .filter(isSource)
  .sort()
  .reduce((count, file) => count + judgeFile(path.join(source, file)), 0);
for (const name of created) migrations.tables.add(name);
compareWithMigrations(migrations);
await judgeExceptions();

for (const finding of findings) console.log(finding);
const { size } = migrations.tables;
console.log(
  `table owners: ${statements} SQL statements, ${size} tables, ${exceptions.length} exceptions, ${findings.length} findings`,
);
const isProven = statements >= Number(values['statements-min']) && size >= Number(values['tables-min']);
if (!isProven)
  console.log(
    `table owners: expected ${values['statements-min']} SQL statements and ${values['tables-min']} tables, so nothing is proven`,
  );
process.exitCode = findings.length > 0 || !isProven ? 1 : 0;
