/*
 * Words that do not come back: each has an established term, given as the remedy. Identifiers are read from the
 * syntax tree, phrases from comments, strings with a space in them, page text and Markdown outside code.
 */
import ts from 'typescript';

/** Names replaced once and for all. */
const bannedIdentifiers = new Map([
  ['DoorRoute', 'AuthRoute'],
  ['NobodyWaits', 'NoPendingRequest'],
  ['Telling', 'Notification'],
  ['apart', 'runDuplicatesAfter'],
  ['beOnTime', 'scheduleNextDue'],
  ['cameAsItMust', 'isAllowedTransport'],
  ['describeItself', 'registerDocs'],
  ['findOut', 'prefetch'],
  ['findUnkeepable', 'findUnstorable'],
  ['follow', 'say what is done: applyJudgements, runBlocks'],
  ['inRounds', 'runInConflictFreeRounds'],
  ['latestTold', 'maxAcceptedTimestamp'],
  ['lookAround', 'readClusterState'],
  ['mayTheSame', 'hasSamePermissions'],
  ['nothingSaid', 'emptyContent'],
  ['openEar', 'openListener'],
  ['passDoor', 'handle'],
  ['setSlowAside', 'discountSlow'],
  ['showAlive', 'heartbeat'],
  ['sortOut', 'toColumns'],
  ['takeTurns', 'runAsLeader'],
]);

/** Parts of a name, as camel case or hyphens divide it. */
const bannedParts = new Map([
  ['told', 'notified'],
  ['tells', 'notifies'],
  ['telling', 'notification'],
  ['tellings', 'notifications'],
  ['mend', 'fix'],
  ['mended', 'fixed'],
  ['stumble', 'fail'],
  ['stumbled', 'failed'],
  ['deaf', 'unsubscribers'],
  ['whoever', 'name the person or process'],
  ['whatever', 'name the thing'],
  ['promised', 'reserved'],
  ['piece', 'unit'],
  ['pieces', 'units'],
]);

/** Fields of the API and columns that shipped keep their names. */
const shippedNames = new Set(['lastToldAt', 'last_told_at']);

/** Words that a file contains as data: a shipped column, an entry of a list. */
const wordsAsData = new Map([
  ['server/src/notifications/expiring-certificates.store.ts', new Set(['told'])],
  ['server/src/people/sign-in/frequent-passwords.ts', new Set(['whatever'])],
]);

const bannedPhrases = [
  [/\b(?:re)?(?:told|tellings?)\b/gi, 'notified, notification'],
  [/\btells\b/gi, 'notifies, says, shows'],
  [/\bwhoever\b/gi, 'name the person or process'],
  [/\bwhatever\b/gi, 'name the thing, or "any"'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
  [/\bstumbl(?:e|es|ed|ing)\b/gi, 'fail'],
  [/\bgiven up\b/gi, 'permanently failed, abandoned'],
  [/\bpass(?:ed|es|ing) over\b/gi, 'rejected, skipped'],
  [/\bmade up\b/gi, 'generated'],
  [/\bpieces?\b(?! of (?:work|code|text|paper|data|information))/gi, 'serialized unit, unit'],
  [/\bpromised\b/g, 'reserved, guaranteed'],
  [/\bturn of (?:a|the) day\b|\bthe day (?:did not )?turn(?:s|ed)?\b|\bturns? the day\b/gi, 'daily run'],
  [/\bdeaf\b/gi, 'unsubscribed'],
  [/\bnobody waits\b/gi, 'no request is pending'],
  [/\blook(?:s|ed|ing)? around\b/gi, 'read the cluster state'],
  [/\bof the machine\b/gi, 'of the system, of the host'],
  [/\bbelieved\b/gi, 'cached, trusted, accepted'],
  [/\bforgets\b/gi, 'removes, purges'],
  [/\bhears\b/gi, 'is notified, receives'],
  // One Chinese word for one thing.
  [/入库单/g, '收货单'],
  [/出库单/g, '发货单'],
  [/移库/g, '调拨'],
  [/续期/g, '换证'],
  [/挂起/g, '冻结'],
  [/(?<!贸易)伙伴/g, '往来单位'],
  [/组织|本机构/g, '企业'],
  [/审批/g, '审核'],
  [/追踪/g, '追溯，按批次管理'],
  [/已拒绝/g, '已驳回'],
  [/发货复核/g, '出库复核'],
  [/合作方/g, '往来单位'],
  [/拒收/g, '不合格'],
  [/裁决/g, '处置'],
  [/沙盒/g, '沙箱'],
  [/账号|帐号|帐户/g, '账户'],
  [/厂商代码/g, '标签方代码'],
  [/换发/g, '换证'],
  [/发运/g, '发货'],
  [/(?<!登记)吊销证照|暂停证照/g, '登记吊销，停用证照'],
  [/待处理/g, '待处置'],
  [/库房/g, '仓库'],
  [/(?<=\p{Script=Han}[^\n]*)\d ?[–-] ?\d+ ?°C/gu, '“～” between the limits'],
];

/** A comment starts with its subject; a question word as the subject makes a riddle. */
const bannedOpening = /^(?:What|Those|Whoever|Of|Whatever|Answers)\b/;

const lineAt = (text, offset) => text.slice(0, offset).split('\n').length;
const blank = (text) => text.replace(/[^\n]/g, ' ');

function phraseFindings(text, from, whole) {
  return bannedPhrases.flatMap(([pattern, remedy]) =>
    [...text.matchAll(pattern)].map((match) => ({
      line: lineAt(whole, from + match.index),
      rule: 'banned-word',
      text: `"${match[0]}": ${remedy}`,
    })),
  );
}

function nameFinding(name, line) {
  const plain = name.replace(/^#/, '');
  if (shippedNames.has(plain)) return [];
  const parts = plain.split(/[-_.]|(?<=[a-z0-9])(?=[A-Z])/).map((part) => part.toLowerCase());
  const part = parts.find((each) => bannedParts.has(each));
  const remedy = bannedIdentifiers.get(plain) ?? bannedParts.get(part);
  return remedy === undefined ? [] : [{ line, rule: 'banned-word', text: `"${name}": ${remedy}` }];
}

const isChinese = (text) => /\p{Script=Han}/u.test(text);

const isProse = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node) ||
  ts.isJsxText(node);

function readTree(name, text) {
  const kind = /\.[jt]sx$/.test(name) ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false, kind);
  const identifiers = [];
  const literals = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node))
      identifiers.push([node.text, node.getStart(file)]);
    if (isProse(node) || ts.isRegularExpressionLiteral(node))
      literals.push({ from: node.getStart(file), to: node.end, isProse: isProse(node) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { identifiers, literals };
}

/** Same length and lines, without the literals, in which a comment would only be quoted. */
function withoutLiterals(text, literals) {
  let code = '';
  let done = 0;
  for (const { from, to } of literals) {
    code += text.slice(done, from) + blank(text.slice(from, to));
    done = to;
  }
  return code + text.slice(done);
}

/** Block comments, and line comments that follow each other as one. */
function commentsOf(code) {
  const comments = code.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g);
  return [...comments].map(({ 0: comment, index }) => ({ comment, index }));
}

function openingFindings(comment, line) {
  const words = comment.replace(/^\/[*/]+[\s*]*/, '');
  const [opening] = bannedOpening.exec(words) ?? [];
  return opening === undefined
    ? []
    : [{ line, rule: 'comment-opening', text: `"${opening} …": start with the subject` }];
}

export function codeWordFindings(name, text) {
  const { identifiers, literals } = readTree(name, text);
  const prose = literals.filter(
    ({ from, to, isProse: is }) =>
      is && (text.slice(from, to).trim().includes(' ') || isChinese(text.slice(from, to))),
  );
  const code = withoutLiterals(text, literals);
  const isData = ({ text: finding }) => wordsAsData.get(name)?.has(finding.split('"')[1]) ?? false;
  return [
    ...identifiers.flatMap(([identifier, from]) => nameFinding(identifier, lineAt(text, from))),
    ...prose.flatMap(({ from, to }) => phraseFindings(text.slice(from, to), from, text)),
    ...commentsOf(code).flatMap(({ comment, index }) => [
      ...phraseFindings(comment.replace(/`[^`\n]*`/g, blank), index, text),
      ...openingFindings(comment, lineAt(text, index)),
    ]),
  ].filter((finding) => !isData(finding));
}

/** The prose of a page: links keep their words, code spans and blocks are left out. */
export function pageWordFindings(text) {
  const prose = text
    .replace(/^( {0,3})(`{3,}|~{3,}).*\n[\s\S]*?^ {0,3}\2[ \t]*$/gm, blank)
    .replace(/`[^`\n]+`/g, blank)
    .replace(/\]\([^)]*\)/g, blank);
  return phraseFindings(prose, 0, text);
}

export function fileNameWordFindings(file) {
  return file.split('/').flatMap((part) => nameFinding(part, 1));
}
