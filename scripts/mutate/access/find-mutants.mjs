/* Finds the lines that keep callers and organizations apart, and what the code is like without each of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { groupedBy } from '../grouped.mjs';

/**
 * @typedef {{ id: string, inLine: string, group: 'tenancy' | 'authorization', kind: string, file: string, line: number, was: string,
 *   start: number, end: number, text: string, table?: string }} Mutant
 */

const lineOf = (text, at) => text.slice(0, at).split('\n').length;

function filesUnder(root, directory, ending) {
  return readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !/\.(test|fixture)\./.test(name))
    .map((name) => `${directory}/${name}`)
    .sort();
}

/** @returns {Mutant[]} */
export function findMutants(root) {
  const found = [
    ...somewhere('policies', inMigrations(root)),
    ...somewhere('conditions of statements', inStatements(root, CONDITION, always)),
    ...somewhere('conditions of statements for several', inStatements(root, BATCHED, alwaysOfSeveral)),
    ...somewhere('conditions of fragments', inFragments(root)),
    ...somewhere('the organization of a transaction', inTransactions(root)),
    ...inCode(root),
  ];
  return [...groupedBy(found, ({ file }) => file)].flatMap(([file, mutants]) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return mutants.map((mutant) => ({
      ...mutant,
      id: `${file}:${mutant.line}:${mutant.start}`,
      inLine: lines[mutant.line - 1].trim(),
    }));
  });
}

/** A pattern that finds nothing any more would make the run pass without having looked. */
function somewhere(what, found) {
  if (found.length === 0) throw new Error(`nowhere in the code as the tool knows it: ${what}`);
  return found;
}

function replaced(root, file, group, kind, pattern, replace) {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(pattern)].map((match) => ({
    group,
    kind,
    file,
    line: lineOf(text, match.index),
    was: match[0].replace(/\s+/g, ' '),
    start: match.index,
    end: match.index + match[0].length,
    text: replace(...match),
  }));
}

const POLICY = /\b(?:org_id|email) = nullif\(current_setting\('app\.(?:org|account)', true\), ''\)/g;
const SECURITY = /^alter table \w+ enable row level security;$/gm;
const TABLE = /\b(?:policy \w+ on|alter table) (\w+)/g;

const STATED = /\bpolicy (\w+) on \w+|\b(using|with check) \(/g;

function inMigrations(root) {
  const files = filesUnder(root, 'server/migrations', '.sql');
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  return files.flatMap((file, i) => {
    const text = texts[i] ?? '';
    const later = texts.slice(i + 1).join('\n');
    const found = [
      ...replaced(root, file, 'tenancy', 'policy', POLICY, () => 'true'),
      ...replaced(root, file, 'tenancy', 'row-level security', SECURITY, () => ''),
    ].map((mutant) => {
      const table = [...text.slice(0, mutant.end).matchAll(TABLE)].at(-1)[1];
      return { ...mutant, table, was: `${table}: ${mutant.was}` };
    });
    return found.filter((mutant) => !isReplaced(mutant, text, later));
  });
}

/** A table or policy that a later migration drops, or a policy that it states anew, guards nothing any more. */
function isReplaced({ kind, table, start }, text, later) {
  if (new RegExp(`^drop table ${table};`, 'm').test(later)) return true;
  if (kind !== 'policy') return false;
  const stated = [...text.slice(0, start).matchAll(STATED)];
  const name = stated.findLast((match) => match[1])[1];
  if (new RegExp(`^drop policy ${name} on ${table};`, 'm').test(later)) return true;
  const clause = stated.findLast((match) => match[2])[2];
  return new RegExp(`\\balter policy ${name} on ${table}\\b[^;]*\\b${clause} \\(`).test(later);
}

/** The parameter stays in use, so that what is left is a statement that runs. */
const CONDITION = /((?:\b\w+\.)?\borg_id) = (any\(\$\d+[^)]*\)|\$\d+|\w+\.org_id)/g;
/** The same in a statement that serves one organization or several. */
const BATCHED = /((?:\b\w+\.)?\borg_id) = (\$\{org\('[\w.]+'\)\})/g;
const isStore = (file) => file.endsWith('.store.ts') || file.endsWith('/idempotency.ts');

function always(_whole, column, value) {
  const [parameter] = /\$\d+/.exec(value) ?? [];
  // With a type of its own: a statement that cannot be prepared would be noticed for the wrong reason.
  const type = value.startsWith('any(') ? 'text[]' : 'text';
  return parameter ? `${parameter}::${type} is not null` : `${column} is not null`;
}
const alwaysOfSeveral = (_whole, column, org) => `${column} is not null and ${org}::text is not null`;

const inStatements = (root, pattern, replace) =>
  filesUnder(root, 'server/src', '.ts')
    .filter(isStore)
    .flatMap((file) => replaced(root, file, 'tenancy', 'condition of a statement', pattern, replace));

/** Fragments that the statements of many stores are made of. */
const SHARED = /\borg_id = (\$\{\w+\}(?:\.org_id)?)/g;

function inFragments(root) {
  const always = (_whole, value) => `org_id is not null and ${value}::text is not null`;
  return filesUnder(root, 'server/src', '.ts')
    .filter((file) => isStore(file) || file.endsWith('/published-rows.ts'))
    .flatMap((file) => replaced(root, file, 'tenancy', 'condition of a fragment', SHARED, always));
}

function inTransactions(root) {
  const set = /^ *(?:await )?session\.\w+\(\{ \.\.\.setOrganization.*$/gm;
  const file = 'server/src/platform/database/transact.ts';
  return replaced(root, file, 'tenancy', 'organization of a transaction', set, () => '');
}

/** Everything in these decides who may do what; elsewhere only what asks who the caller is. */
const GUARDS =
  /^server\/src\/((access|credentials|oauth|organizations|people)\/|platform\/http\/register\.ts$)/;
const ABOUT_CALLERS = /\b(principal|viewer)\b|\bcustomerCode !== (customerCode|own)\b/;
const REFUSES = /^(throw\b|return (REFUSED|INACTIVE|null|false|(unauthenticated|signInAndReturn)\b|''))/;
/** The result for a caller that does not meet the condition before it. */
const REFUSED = /^(REFUSED|INACTIVE|null|false)$/;
const DEMANDS = /^(require|refuse)[A-Z]\w*$/;

function inCode(root) {
  return filesUnder(root, 'server/src', '.ts')
    .filter((file) => !file.includes('/demo/') && !file.includes('/cli/'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
      const found = [];
      const add = (kind, node, instead) =>
        found.push({
          group: 'authorization',
          kind,
          file,
          line: lineOf(text, node.getStart()),
          was: node.getText().replace(/\s+/g, ' ').slice(0, 120),
          start: node.getStart(),
          end: node.getEnd(),
          text: instead,
        });
      visit(source, GUARDS.test(file), add);
      return found;
    });
}

function visit(node, guard, add) {
  if (ts.isIfStatement(node) && isRefusal(node) && (guard || ABOUT_CALLERS.test(node.expression.getText())))
    for (const part of partsOf(node.expression, ts.SyntaxKind.BarBarToken)) add('refusal', part, 'false');
  if (ts.isExpressionStatement(node) && guard) {
    const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    if (ts.isCallExpression(call) && DEMANDS.test(call.expression.getText().split('.').at(-1)))
      add('demand', node, ';');
  }
  if (guard && isJudgement(node))
    for (const part of partsOf(bodyOf(node), ts.SyntaxKind.AmpersandAmpersandToken))
      add('judgement', part, 'true');
  if (guard && ts.isConditionalExpression(node) && REFUSED.test(node.whenFalse.getText()))
    for (const part of partsOf(node.condition, ts.SyntaxKind.AmpersandAmpersandToken))
      add('judgement', part, 'true');
  ts.forEachChild(node, (child) => visit(child, guard, add));
}

function isRefusal({ thenStatement }) {
  const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  return last !== undefined && REFUSES.test(last.getText());
}

const bodyOf = (node) => (ts.isReturnStatement(node) ? node.expression : node.body);
const isChain = (node) =>
  node !== undefined &&
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
/** `return a && b`, or `(x) => a && b`: each is something that must hold. */
const isJudgement = (node) =>
  (ts.isReturnStatement(node) || ts.isArrowFunction(node)) && isChain(bodyOf(node));

/** The operands of a chain of one operator; the whole where it is none. */
function partsOf(node, operator) {
  const inner = ts.isParenthesizedExpression(node) ? node.expression : node;
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === operator)
    return [...partsOf(inner.left, operator), ...partsOf(inner.right, operator)];
  return [node];
}
