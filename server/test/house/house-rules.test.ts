import { beforeAll, describe, expect, it } from 'vitest';
import { rulesOf, type Verdict } from './rules.js';

const { judge, command } = rulesOf('house-rules', { name: 'checkHouse', isRepository: true });

const lines = (count: number, line = '// a line') => `${line}\n`.repeat(count);
const functionOf = (count: number) => `export function long() {\n${lines(count - 2)}}\n`;
const homeFolder = ['', 'home', 'someone', 'lotward'].join('/');
const host = ['registry', 'example', 'org'].join('.');

const allowed: Record<string, string> = {
  '.gitignore': 'dist/\n',
  '.gitattributes': 'server/openapi.json linguist-generated\nclient/generated.ts linguist-generated=true\n',
  'server/openapi.json': '{"description":"TODO is a word of the generator"}',
  'client/generated.ts': `${lines(700)}export type Anything = any; // XXX`,
  'dist/utils.ts': 'export const now = Date.now(); // ignored by git',
  'server/src/config/index.ts': 'export const port = process.env.PORT;',
  'server/src/platform/clock/index.ts':
    'export const now = () => Date.now(); export const today = () => new Date();',
  'server/src/platform/ids/index.ts': 'export const roll = () => Math.random();',
  'server/src/orders/order.ts': lines(400),
  'server/src/orders/order.rules.ts':
    'export const age = (o: { process: number }, at: Date) => +new Date(at) - o.process;',
  'server/src/orders/long.ts': functionOf(80),
  'server/src/orders/words.ts': `export const words = ['TODO', 'process.env', 'it.only', '@ts-ignore', ': any', \`\${1} HACK\`];`,
  'server/src/orders/order.test.ts': `import { describe, it } from 'vitest';
    const noServer = process.env.NO_SERVER === '1';
    describe.skipIf(noServer)('orders', () => {\n${lines(300)}
      it.runIf(!noServer)('late answers', () => { setTimeout(() => console.log('answer'), 5); });
    });`,
  'udi/test/sizes.ts': 'export const full = process.env.TIER;',
  'server/test/harness/eventually.ts':
    'export const pause = () => new Promise((go) => setTimeout(go, Date.now() % 5));',
  'udi/src/words.ts': `// A name in code may be \`told\`.\nconst lastToldAt = 'told';
    // The first line opens the comment.\n    // What follows continues it.\n    /** Documented. */ export const at = 'last_told_at // What';`,
  'CHANGELOG.md': '# Changes\n\nWebhooks are told once.\n',
  'docs/code.md': 'The field `told`.\n\n```text illustration\nnobody was told\n```\n',
  'server/migrations/0001_first.sql': 'select 1; -- told once',
  'server/migrations/0002_second_step.sql': 'select 1;',
  'docs/guide.md': `# Guide: the *first* one\n\n## Step\n\n## Step\n\n## 批次 and lots\n\n<a id="here"></a>\n
[own](#guide-the-first-one) [twice](#step-1) [id](#here) [unicode](#批次-and-lots) [up](../README.md#lotward)
[folder](../server/src) [code](../server/src/orders/order.ts#L3) [web](https://example.org/x) [mail](mailto:a@b.example)
\`[not](a-link.md)\` and the word \`TODO\`\n\n\`\`\`\n[not](a-link.md)\n# not a heading\n\`\`\`\n\n[ref]: ../README.md\n`,
  'README.md':
    '# Lotward\n\n[guide](docs/guide.md "title") [root](/docs/guide.md) <img src="docs/guide.md">\n',
};

/** The finding that must be printed, and the text of the file that causes it. */
const violations: [finding: string, text: string][] = [
  ['server/src/a/long-file.ts:401: file-length: 401 lines, at most 400', lines(401)],
  ['server/src/a/long.test.ts:601: file-length: 601 lines, at most 600', lines(601)],
  ['server/src/a/long-function.ts:1: function-length: 81 lines, at most 80', functionOf(81)],
  [
    'server/src/a/long-arrow.ts:1: function-length: 81 lines, at most 80',
    `export const f = () => {\n${lines(79)}};`,
  ],
  [
    'server/src/a/long-method.ts:2: function-length: 81 lines, at most 80',
    `class A {\n  m() {\n${lines(79)}}\n}`,
  ],
  ['server/src/a/env.ts:2: environment: settings come', '\nexport const port = process.env.PORT;'],
  ['server/src/a/env-import.ts:1: environment: settings come', `import { env } from 'node:process';`],
  ['udi/src/env.ts:1: environment: settings come', 'const tier = process.env.TIER;'],
  ['udi/src/bare.ts:1: tsdoc: reader: add a TSDoc comment', 'export const reader = 1;'],
  ['client/src/bare.ts:1: tsdoc: createClient: add a TSDoc comment', 'export function createClient() {}'],
  ['udi/src/remark.ts:2: tsdoc: read: add a TSDoc comment', '// not for callers\nexport function read() {}'],
  ['server/bin/env.mjs:1: environment: settings come', 'console.log(process.env.PORT);'],
  ['server/src/a/only.test.ts:1: switched-test: it.only', `it.only('x', () => {});`],
  ['server/src/a/skip.test.ts:1: switched-test: describe.skip', `describe.skip('x', () => {});`],
  ['server/src/a/todo.test.ts:1: switched-test: test.todo', `test.todo('x');`],
  [
    'server/src/a/each.test.ts:1: switched-test: it.concurrent.only',
    `it.concurrent.only.each([1])('x', () => {});`,
  ],
  ['server/test/ctx.test.ts:1: switched-test: ctx.skip', `it('x', (ctx) => ctx.skip());`],
  ['server/src/a/todo.ts:1: unfinished: TODO', '// TODO later'],
  ['server/src/a/fixme.ts:2: unfinished: FIXME', '/*\n * FIXME later */'],
  ['server/src/a/xxx.sql:1: unfinished: XXX', '-- XXX later'],
  ['docs/hack.md:1: unfinished: HACK', 'a HACK'],
  ['server/src/a/any.ts:1: no-any', 'export const a: any = 1;'],
  ['server/src/a/as-any.ts:1: no-any', 'export const a = 1 as any;'],
  ['server/src/a/any-list.ts:1: no-any', 'export const a: Array<any> = [];'],
  ['server/src/a/ignore.ts:1: no-ts-ignore: @ts-ignore', '// @ts-ignore\nexport const a: string = 1;'],
  ['server/src/a/nocheck.ts:1: no-ts-ignore: @ts-nocheck', '// @ts-nocheck'],
  ['server/src/a/utils.ts:1: banned-name: "utils"', ''],
  ['server/src/a/order-helper.ts:1: banned-name: "helper"', ''],
  ['server/src/common/index.ts:1: banned-name: "common"', ''],
  ['server/src/a/stock.manager.ts:1: banned-name: "manager"', ''],
  ['server/src/a/order_impl.ts:1: banned-name: "impl"', ''],
  ['docs/Misc/x.md:1: banned-name: "misc"', ''],
  ['docs/file-link.md:3: dead-link: gone.md: no such file', '\n\n[x](gone.md)'],
  ['docs/ignored-link.md:1: dead-link: ../dist/utils.ts: no such file', '[x](../dist/utils.ts)'],
  ['docs/anchor-link.md:1: dead-link: guide.md#gone: no such heading', '[x](guide.md#gone)'],
  ['docs/own-link.md:1: dead-link: #a-heading: no such heading', '[x](#a-heading)\n```\n# a heading\n```'],
  ['docs/ref-link.md:1: dead-link: gone.png: no such file', '[x]: gone.png'],
  ['docs/image-link.md:1: dead-link: gone.png: no such file', '<img width="1" src="gone.png">'],
  [`docs/path.md:1: machine-path: ${homeFolder.slice(0, 13)}`, `see ${homeFolder}`],
  ['deploy.sh:2: machine-path', `#!/bin/sh\ncd "${homeFolder}"`],
  [`package-lock.json:1: registry-host: ${host}`, `{"a":"${host}"}`],
  ['lock/package-lock.json:1: registry-host: "resolved"', `{"resolved": "${'https'}://example.org/a.tgz"}`],
  ['.npmrc:1: registry-host: registry', 'registry = https://example.org'],
  ['server/src/a/now.ts:1: clock-or-random: Date.now', 'export const at = Date.now();'],
  ['server/src/a/date.ts:1: clock-or-random: the current time', 'export const at = new Date();'],
  ['server/src/a/bare-date.ts:1: clock-or-random: the current time', 'export const at = new Date;'],
  ['server/src/a/random.ts:1: clock-or-random: Math.random', 'export const roll = Math.random;'],
  ['server/src/platform/clock/due.rules.ts:1: clock-or-random: Date.now', 'export const at = Date.now();'],
  ['server/src/a/nap.test.ts:1: sleeping-test', 'await new Promise((wake) => setTimeout(wake, 50));'],
  [
    'server/src/a/snooze.test.ts:1: sleeping-test',
    `import { setTimeout as sleep } from 'node:timers/promises';`,
  ],
  ['server/src/a/fetch.rules.ts:1: impure-rules: fetch', `export const a = () => fetch('x');`],
  ['server/src/a/crypto.rules.ts:1: impure-rules: crypto', 'export const a = () => crypto.randomUUID();'],
  ['server/migrations/0002_twin.sql:1: migration-number: expected 0003_', 'select 1;'],
  ['server/migrations/0005_gap.sql:1: migration-number: expected 0004_', 'select 1;'],
  ['server/migrations/5-name.sql:1: migration-number: expected 0005_', 'select 1;'],
];
const wordViolations: [finding: string, text: string][] = [
  ['server/src/a/identifier.ts:1: banned-word: "takeTurns": runAsLeader', 'const takeTurns = 1;'],
  ['udi/src/private.ts:1: banned-word: "#beOnTime"', 'class A { #beOnTime() {} }'],
  ['udi/src/part.ts:1: banned-word: "lastTold": notified', 'const lastTold = 1;'],
  ['udi/src/snake.ts:1: banned-word: "READINGS_PER_TELLING"', 'const READINGS_PER_TELLING = 1;'],
  ['udi/src/told-once.ts:1: banned-word: "told-once.ts": notified', ''],
  ['udi/src/comment.ts:1: banned-word: "whoever"', '// the lock of whoever came first'],
  ['server/src/a/log.ts:1: banned-word: "stumbled"', `log('webhook delivery stumbled');`],
  ['udi/src/template.ts:1: banned-word: "passed over"', `log(\`readings of \${a} passed over\`);`],
  ['console/src/page.tsx:1: banned-word: "made up"', 'const a = <p>A secret was made up.</p>;'],
  ['server/test/a/what.ts:1: comment-opening: "What …"', '/** What is asked. */'],
  ['examples/of.mjs:1: comment-opening: "Of …"', '/**\n * Of a file: its name.\n */\n'],
  ['udi/src/trailing.ts:1: comment-opening: "Those …"', 'const a = 1; // Those that wait.'],
  ['console/src/words.ts:1: banned-word: "移库": 调拨', "const words = { moved: '库存已移库' };"],
  ['docs/day.md:1: banned-word: "turn of the day"', 'at the turn of the day'],
  ['docs/units.md:3: banned-word: "pieces"', '# Heading\n\nThree pieces of one batch.'],
  ['docs/monitoring/rules.yml:1: banned-word: "nobody waits"', 'summary: nobody waits'],
];
violations.push(...wordViolations);
const fileOf = (finding: string) => finding.slice(0, finding.indexOf(':'));

describe('house rules', () => {
  it('a tree without violations passes', async () => {
    const { code, lines: printed } = await judge(allowed);
    expect(printed).toEqual([expect.stringMatching(/^house rules: \d+ files, 0 findings$/)]);
    expect(code).toBe(0);
  });

  it('a tree without files fails', async () => {
    const { code, lines: printed } = await command({});
    expect(printed).toContain('house rules: checked no files, so nothing is proven');
    expect(code).toBe(1);
  });

  describe('in a tree with one file per violation', () => {
    let result: Verdict;
    beforeAll(async () => {
      const violating = Object.fromEntries(violations.map(([finding, text]) => [fileOf(finding), text]));
      result = await judge({ ...allowed, ...violating });
    });

    it.each(violations)('%s', (finding) => {
      const found = result.lines.filter((line) => line.startsWith(`${fileOf(finding)}:`));
      expect(found).toEqual([expect.stringContaining(finding)]);
    });

    it('the exit code is 1', () => {
      expect(result.code).toBe(1);
    });
  });
});
