/*
 * House rules that no other tool checks, over every file that git tracks or would add. Limits may be lowered, not raised;
 * an exception is a line in the lists below, with its reason. server/test/house/house-rules.test.ts shows that each rule
 * finds violations.
 *
 *   node scripts/house-rules.mjs [--root <folder>]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deadLinks } from './house-rules/markdown.mjs';
import { platformWordFindings } from './house-rules/platform-words.mjs';
import { sourceFindings } from './house-rules/source.mjs';
import { codeWordFindings, fileNameWordFindings, pageWordFindings } from './house-rules/words.mjs';

const limits = { sourceLinesMax: 400, testLinesMax: 600, functionLinesMax: 80 };

/** Where the environment may be read. Everything else gets its settings as arguments. */
const environmentReaders = [
  'console/build.mjs',
  'server/src/config/',
  'server/src/platform/embedded-postgres/', // passes PATH to the programs it starts
  'server/test/',
  'udi/test/',
  'console/vite.config.ts',
  'vitest.config.ts',
  'console/test/',
  'examples/', // programs by themselves
  'bench/',
  'scripts/',
];

/** Where the current time and random values may be read. A rules file (*.rules.ts) never may, even if listed. */
const clockAndRandomReaders = [
  'server/src/platform/clock/', // is the clock
  'server/src/platform/ids/', // identifiers contain time and randomness
  'server/src/platform/embedded-postgres/embedded-postgres.test.ts', // waits for another process
  'server/src/cli.ts',
  'server/src/cli/', // interactive
  'server/bin/',
  'server/src/platform/rate-limit/rate-limit.test.ts', // windows of a real Redis end in real time
  'server/src/platform/database/database-time.test.ts', // compares with the clock of a real database
  'server/test/journeys/wrong-clock.test.ts', // the same, in real processes
  'server/test/journeys/shifted-clock.fixture.mjs',
  'server/test/neighbours/', // measures real processes
  'server/test/client/', // runs programs that go by the real clock
  'client/src/', // runs elsewhere, with the clock there
  'console/src/', // interactive
  'console/test/',
  'server/test/harness/', // polls, so that tests need not sleep
  'bench/',
  'scripts/',
];

const bannedNames = new Set(
  ['util', 'helper', 'common', 'manager', 'impl', 'misc'].flatMap((word) => [word, `${word}s`]),
);

/** Packages that others install: every export has a TSDoc comment. */
const publishedSources = ['client/src/', 'udi/src/'];

/** Where banned words may stand. */
const wordsAllowed = [
  'CHANGELOG.md', // history
  'scripts/house-rules/words.mjs', // the list itself
  'server/migrations/', // shipped as they are
  'server/test/house/house-rules.test.ts', // proves that the list bites
];

/** Written so that this file does not match its own patterns. */
const forbiddenText = [
  ['machine-path', /(?<![\w.$}/-])(?:file:\/\/)?\/(?:home|root|work|Users)\/[\w.-]+|\b[A-Z]:\\+Users\\/g],
  ['registry-host', /\bregistry\.[a-z0-9-]+\.(?:org|com|net|io|dev|cn)\b|\bnpm\.pkg\.|\bnpmmirro[r]\b/gi],
  [
    'registry-host',
    /\bartifactor[y]\b|\bverdacci[o]\b|^\s*(?:@[\w-]+:)?registry\s*=|"resolved":\s*"https?:/gim,
  ],
];
const unfinished = [['unfinished', /\b(?:TODO|FIXME|XXX|HACK)\b/g]];

const codeFile = /\.(?:ts|tsx|mts|cts|js|mjs|cjs)$/;
const isTest = (file) => /\.test\.(?:ts|tsx|mjs)$/.test(file) || /^(?:server|udi)\/test\//.test(file);
const under = (file, places) =>
  places.some((place) => file === place || (place.endsWith('/') && file.startsWith(place)));
const lineAt = (text, offset) => text.slice(0, offset).split('\n').length;

function git(root, args, input) {
  const run = spawnSync('git', args, { cwd: root, input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (run.status !== 0) throw new Error(`git ${args[0]} failed: ${run.stderr}`);
  return run.stdout.split('\0').filter((part) => part !== '');
}

function listFiles(root) {
  const listed = git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return [...new Set(listed)]
    .filter((file) => existsSync(path.join(root, file)) && statSync(path.join(root, file)).isFile())
    .sort();
}

/** .gitattributes is the one list of generated files. */
function listGenerated(root, files) {
  const answer = git(root, ['check-attr', '-z', '--stdin', 'linguist-generated'], files.join('\0'));
  const generated = new Set();
  for (let at = 0; at + 2 < answer.length; at += 3) {
    if (answer[at + 2] === 'set' || answer[at + 2] === 'true') generated.add(answer[at]);
  }
  return generated;
}

function nameFindings(file) {
  return file
    .split('/')
    .flatMap((part) => part.toLowerCase().split(/[.\-_]/))
    .filter((word) => bannedNames.has(word))
    .map((word) => ({ line: 1, rule: 'banned-name', text: `"${word}" is too vague: name the content` }));
}

/** Matches of the patterns in the text, except inside the ignored ranges: [from, to) offsets. */
function textFindings(text, patterns, ignored = []) {
  return patterns.flatMap(([rule, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(({ index }) => !ignored.some(([from, to]) => index >= from && index < to))
      .map((match) => ({ line: lineAt(text, match.index), rule, text: match[0].trim() })),
  );
}

function lengthFindings(file, text) {
  const lines = text.replace(/\n$/, '').split('\n').length;
  const linesMax = isTest(file) ? limits.testLinesMax : limits.sourceLinesMax;
  return lines > linesMax
    ? [{ line: linesMax + 1, rule: 'file-length', text: `${lines} lines, at most ${linesMax}` }]
    : [];
}

function wordFindings(file, text) {
  if (under(file, wordsAllowed)) return [];
  const findings = fileNameWordFindings(file);
  if (codeFile.test(file)) return [...findings, ...codeWordFindings(file, text)];
  return /\.(?:md|ya?ml|css|html)$/.test(file) ? [...findings, ...pageWordFindings(text)] : findings;
}

function codeFindings(file, text) {
  const { findings, literals } = sourceFindings(file, text, {
    isTest: isTest(file),
    isRules: file.endsWith('.rules.ts'),
    isPublished: !isTest(file) && under(file, publishedSources),
    mayReadEnvironment: isTest(file) || under(file, environmentReaders),
    mayReadClock: under(file, clockAndRandomReaders) && !file.endsWith('.rules.ts'),
    functionLinesMax: limits.functionLinesMax,
  });
  return [
    ...lengthFindings(file, text),
    ...findings,
    ...platformWordFindings(file, text),
    ...textFindings(text, unfinished, literals),
  ];
}

function markdownFindings(root, file, text, files) {
  const codeSpans = [...text.matchAll(/`[^`\n]+`/g)].map(({ 0: span, index }) => [
    index,
    index + span.length,
  ]);
  const read = (target) => readFileSync(path.join(root, target), 'utf8');
  return [...textFindings(text, unfinished, codeSpans), ...deadLinks(file, text, files, read)];
}

/** Migrations are applied by number: a gap is a lost one, a duplicate a race between branches. */
function migrationFindings(files) {
  const migrations = files.filter((file) => /^server\/migrations\/.*\.sql$/.test(file));
  return migrations.flatMap((file, at) => {
    const expected = String(at + 1).padStart(4, '0');
    const name = path.basename(file);
    if (/^\d{4}_[a-z0-9_]+\.sql$/.test(name) && name.startsWith(expected)) return [];
    return [{ file, line: 1, rule: 'migration-number', text: `expected ${expected}_lower_case_name.sql` }];
  });
}

function fileFindings(root, file, files, generated) {
  const bytes = readFileSync(path.join(root, file));
  if (bytes.includes(0)) return nameFindings(file);
  const text = bytes.toString('utf8');
  const findings = [...nameFindings(file), ...textFindings(text, forbiddenText)];
  if (generated.has(file)) return findings;
  findings.push(...wordFindings(file, text));
  if (codeFile.test(file)) return [...findings, ...codeFindings(file, text)];
  if (file.endsWith('.md')) return [...findings, ...markdownFindings(root, file, text, files)];
  return [...findings, ...textFindings(text, unfinished)];
}

/** The verdict on the tree under `root`: the lines to print, and the exit code. */
export function checkHouse(root) {
  const files = listFiles(root);
  const generated = listGenerated(root, files);
  const findings = [
    ...files.flatMap((file) =>
      fileFindings(root, file, files, generated).map((finding) => ({ file, ...finding })),
    ),
    ...migrationFindings(files),
  ];
  const lines = findings.map(({ file, line, rule, text }) => `${file}:${line}: ${rule}: ${text}`);
  lines.push(`house rules: ${files.length} files, ${findings.length} findings`);
  if (files.length === 0) lines.push('house rules: checked no files, so nothing is proven');
  return { lines, code: findings.length > 0 || files.length === 0 ? 1 : 0 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const repository = fileURLToPath(new URL('..', import.meta.url));
  const { values } = parseArgs({ options: { root: { type: 'string', default: repository } } });
  const { lines, code } = checkHouse(values.root);
  console.log(lines.join('\n'));
  process.exitCode = code;
}
