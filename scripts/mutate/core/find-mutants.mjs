/* Finds places of the code where a small change makes a difference, and what the code is like with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {{ id: string, kind: string, file: string, line: number, inLine: string, was: string, now: string,
 *   start: number, end: number, text: string, wrap: 'expression' | 'statement' }} Mutant
 */

const { SyntaxKind } = ts;
const OPERATORS = new Map([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
]);
const CHAINS = new Map([
  [SyntaxKind.AmpersandAmpersandToken, 'true'],
  [SyntaxKind.BarBarToken, 'false'],
]);
/** Neither logging nor clean-up of timers changes a guarantee. */
const WITHOUT_EFFECT =
  /^(await )?(\w+\.)*(log|logger|console|onProgress|clearTimeout|clearInterval)\b|\.unref\(\)$/;
const SQL = /\b(select|update|insert into|delete from)\b/;
const SQL_CHANGES = [
  {
    kind: 'SQL comparison',
    pattern: / (<|<=|>|>=) /g,
    change: (sign) => ` ${sign.length > 3 ? sign.trim()[0] : `${sign.trim()}=`} `,
  },
  // The condition stays, so that its parameters keep their types.
  {
    kind: 'SQL condition',
    pattern:
      /^ *and (?!\(|case\b|exists\b|not exists\b)[^\n;()`]*(?:\([^\n()]*\)[^\n;()`]*)*(?<![=<>,]|\bor|\bin)(?=`?$)/gm,
    change: (line) => line.replace(/and (.*)$/, 'and ($1 or true)'),
  },
  { kind: 'SQL order', pattern: / desc\b/g, change: () => ' asc' },
];

/** @returns {Mutant[]} */
export function findMutants(root, files) {
  return files.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8');
    const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
    const lines = code.split('\n');
    const found = [];
    const add = (kind, node, text, { wrap = 'expression', was = node.getText(), now = text } = {}) => {
      const start = node.getStart();
      const line = source.getLineAndCharacterOfPosition(start).line;
      const short = (each) => each.replace(/\s+/g, ' ').slice(0, 100);
      const id = `${file}:${start}:${found.length}`;
      const at = { start, end: node.getEnd(), line: line + 1, inLine: lines[line].trim() };
      found.push({ id, kind, file, ...at, text, wrap, was: short(was), now: short(now) });
    };
    visit(source, add);
    return found;
  });
}

function visit(node, add) {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
  if (ts.isBinaryExpression(node)) inBinary(node, add);
  if (ts.isIfStatement(node)) add('condition', node.expression, 'false');
  if (ts.isConditionalExpression(node)) add('condition', node.condition, `!(${node.condition.getText()})`);
  if (
    ts.isExpressionStatement(node) &&
    isCall(node.expression) &&
    !WITHOUT_EFFECT.test(node.expression.getText())
  )
    add('call', node, '', { wrap: 'statement', now: 'nothing' });
  if ((ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) && SQL.test(node.getText()))
    inStatement(node, add);
  ts.forEachChild(node, (child) => visit(child, add));
}

/** `super()` must be called, and a call that is part of a chain of promises decides what is waited for. */
function isCall(expression) {
  const call = ts.isAwaitExpression(expression) ? expression.expression : expression;
  return ts.isCallExpression(call) && call.expression.kind !== SyntaxKind.SuperKeyword;
}

const isText = (node) =>
  ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);

function inBinary(node, add) {
  const { left, right, operatorToken } = node;
  const other = OPERATORS.get(operatorToken.kind);
  if (
    other &&
    !isText(left) &&
    !isText(right) &&
    !(operatorToken.kind === SyntaxKind.PlusToken && isSum(left))
  )
    add('operator', node, `(${left.getText()}) ${other} (${right.getText()})`, {
      now: `${operatorToken.getText()} → ${other}`,
    });
  const neutral = CHAINS.get(operatorToken.kind);
  if (neutral === undefined) return;
  add('operand', left, neutral);
  add('operand', right, neutral);
}

/** A longer sum is changed at its first sign only; sums of texts would show nothing. */
const isSum = (node) => ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken;

function inStatement(node, add) {
  const text = node.getText();
  const from = node.getStart();
  const gaps = ts.isTemplateExpression(node)
    ? node.templateSpans.map((span) => [span.expression.getStart() - from, span.expression.getEnd() - from])
    : [];
  for (const { kind, pattern, change } of SQL_CHANGES)
    for (const match of text.matchAll(pattern)) {
      if (gaps.some(([start, end]) => match.index < end && match.index + match[0].length > start)) continue;
      const now = change(match[0]);
      const changed = text.slice(0, match.index) + now + text.slice(match.index + match[0].length);
      add(kind, node, changed, { was: match[0].trim(), now: now.trim() });
    }
}
