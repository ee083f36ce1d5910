/* Rules on code, checked on the syntax tree: text in a string or a regular expression is not code. */
import ts from 'typescript';

const testFunctions = new Set(['it', 'test', 'describe', 'suite', 'ctx', 'context']);
const testSwitches = new Set(['only', 'skip', 'todo']);
const impureGlobals = new Set([
  'console',
  'crypto',
  'fetch',
  'performance',
  'process',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);

/** `a.b` as "a.b", for plain names only. */
function dotted(node) {
  return ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)
    ? `${node.expression.text}.${node.name.text}`
    : undefined;
}

/** The first name of a chain such as `it.concurrent.each(…)`. */
function chainStart(node) {
  let start = node;
  while (ts.isPropertyAccessExpression(start) || ts.isCallExpression(start)) start = start.expression;
  return ts.isIdentifier(start) ? start.text : undefined;
}

function isDescribeBody(node) {
  return (
    ts.isCallExpression(node.parent) &&
    node.parent.arguments.includes(node) &&
    ['describe', 'suite'].includes(chainStart(node.parent.expression))
  );
}

/** The function is what `new Promise(…)` runs, so a timer in it only waits. */
function isPromiseBody(node) {
  return (
    node !== undefined &&
    ts.isNewExpression(node.parent) &&
    ts.isIdentifier(node.parent.expression) &&
    node.parent.expression.text === 'Promise'
  );
}

function importsFrom(node, module, name) {
  return (
    ts.isImportSpecifier(node) &&
    (node.propertyName ?? node.name).text === name &&
    [module, `node:${module}`].includes(node.parent.parent.parent.moduleSpecifier.text)
  );
}

function environment(node) {
  const read = dotted(node) === 'process.env' || importsFrom(node, 'process', 'env');
  return read ? 'settings come from server/src/config/' : undefined;
}

function clockOrRandom(node) {
  if (dotted(node) === 'Date.now' || dotted(node) === 'Math.random')
    return `${dotted(node)} comes in as an argument`;
  const isDate =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'Date';
  return isDate && (node.arguments ?? []).length === 0
    ? 'the current time comes in as an argument'
    : undefined;
}

function sleep(node) {
  if (importsFrom(node, 'timers/promises', 'setTimeout')) return 'wait for what should happen, not for time';
  const waits =
    ts.isCallExpression(node) &&
    ['setTimeout', 'globalThis.setTimeout'].includes(node.expression.getText()) &&
    isPromiseBody(ts.findAncestor(node, ts.isFunctionLike));
  return waits ? 'wait for what should happen, not for time' : undefined;
}

function switchedTest(node) {
  const found =
    ts.isPropertyAccessExpression(node) &&
    testSwitches.has(node.name.text) &&
    testFunctions.has(chainStart(node));
  return found ? `${node.getText().split('\n')[0]}: use skipIf or runIf with a reason` : undefined;
}

function impurity(node) {
  if (!ts.isIdentifier(node) || !impureGlobals.has(node.text)) return undefined;
  const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
  const isName =
    (ts.isPropertyAssignment(node.parent) || ts.isPropertySignature(node.parent)) &&
    node.parent.name === node;
  return isMember || isName ? undefined : `${node.text} in a pure file`;
}

/** An exported declaration of a published package without a TSDoc comment. */
function undocumented(file, node) {
  const isExported =
    node.parent === file && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported) return undefined;
  const comments = file.text.slice(node.pos, node.getStart(file));
  const name = node.name ?? node.declarationList?.declarations[0]?.name;
  return comments.includes('/**') ? undefined : `${name?.getText(file) ?? 'export'}: add a TSDoc comment`;
}

function longFunction(file, node, linesMax) {
  if (!ts.isFunctionLike(node) || node.body === undefined || isDescribeBody(node)) return undefined;
  const from = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
  const lines = file.getLineAndCharacterOfPosition(node.end).line - from + 1;
  return lines > linesMax ? `${lines} lines, at most ${linesMax}` : undefined;
}

function isLiteral(node) {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  );
}

function scriptKind(name) {
  if (/\.[mc]?ts$/.test(name)) return ts.ScriptKind.TS;
  return name.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.JS;
}

/** All findings in one file, and the ranges of its literals, for rules that read the text. */
export function sourceFindings(name, text, rules) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, scriptKind(name));
  const findings = [];
  const literals = [];
  const lineOf = (offset) => file.getLineAndCharacterOfPosition(offset).line + 1;
  const report = (node, rule, found) => {
    if (found !== undefined) findings.push({ line: lineOf(node.getStart(file)), rule, text: found });
  };
  const visit = (node) => {
    if (isLiteral(node)) literals.push([node.getStart(file), node.end]);
    if (node.kind === ts.SyntaxKind.AnyKeyword) report(node, 'no-any', 'unknown, or the real type');
    if (!rules.mayReadEnvironment) report(node, 'environment', environment(node));
    if (!rules.mayReadClock) report(node, 'clock-or-random', clockOrRandom(node));
    if (!rules.mayReadClock && rules.isTest) report(node, 'sleeping-test', sleep(node));
    if (rules.isTest) report(node, 'switched-test', switchedTest(node));
    if (rules.isPublished) report(node, 'tsdoc', undocumented(file, node));
    if (rules.isRules) report(node, 'impure-rules', impurity(node));
    report(node, 'function-length', longFunction(file, node, rules.functionLinesMax));
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const match of text.matchAll(/@ts-(?:ignore|nocheck)\b/g)) {
    const inLiteral = literals.some(([from, to]) => match.index >= from && match.index < to);
    if (!inLiteral) findings.push({ line: lineOf(match.index), rule: 'no-ts-ignore', text: match[0] });
  }
  return { findings: findings.sort((a, b) => a.line - b.line), literals };
}
