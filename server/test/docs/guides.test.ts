import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fullTier,
  openDemoWithoutKeys,
  runCommandWith,
  sized,
  TEST_SECRET_KEY,
  type TestDatabase,
} from '../harness/index.js';
import { type Block, blocksOf, repository, SERVER_PAGES } from './guide.js';
import { type Folder, openFolder, type Program, runBlocks, startProgram, until } from './run-guide.js';

const INSTALL = 'npm ci && ';
const SIMULATED = '--seconds 15';

/** The README but for what need not be repeated: this repository is installed, and some steps of the simulation make no event, but a few do. */
const readme = blocksOf('README.md');
const adapted = readme.map((block) => ({
  ...block,
  text: block.text.replace(INSTALL, '').replace(SIMULATED, `--seconds ${sized(8, 15)}`),
}));
const [start, ready, ...rest] = adapted as [Block, Block, ...Block[]];

/**
 * The real program, started as the README says. On an empty folder it would load the demo that the guides assume; by
 * default it finds all but its keys, as a first start that was interrupted leaves it.
 */
let server: Program;
let own: Record<string, string>;
let db: TestDatabase | undefined;
beforeAll(async () => {
  own = { LOTWARD_DATA_DIR: mkdtempSync(join(tmpdir(), 'lotward-readme-')), PORT: '0' };
  if (!fullTier) {
    db = await openDemoOfToday();
    Object.assign(own, { DATABASE_URL: db.url, LOTWARD_SECRET_KEY: TEST_SECRET_KEY, LOTWARD_DEMO: '1' });
  }
  server = startProgram(start.text, own, repository);
  await until(server, ready.text);
}, 300_000);
afterAll(async () => {
  await server.stop();
  await db?.close();
  rmSync(own.LOTWARD_DATA_DIR ?? '', { recursive: true });
}, 60_000);

/** The demo of the tests is always loaded on the same day. What the guides sell must not expire with it. */
async function openDemoOfToday(): Promise<TestDatabase> {
  const opened = await openDemoWithoutKeys();
  const since = [opened.clock.now()];
  const moved = (column: string) => `${column} = ${column} + greatest(0, current_date - $1::date)`;
  await opened.sql(`update batches set ${moved('expiry_date')}`, since);
  await opened.sql(`update certificates set ${moved('valid_to')}`, since);
  return opened;
}

/**
 * Run in the full tier only: a pipe into one of our commands needs a process that loads the service, and programs with
 * the client package are run by client/README.md and the quick start too.
 */
const COSTLY: readonly string[] = ['docs/guides/people.md', 'docs/guides/client.md'];

/** The syntax errors of a block, by the shell or the compiler. */
function faultsIn({ language, text, kind }: Block): string[] {
  if (kind === 'output' || kind === 'arrives') return [];
  if (language === 'sh') {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
    return status === 0 ? [] : [stderr];
  }
  if (language !== 'js') return [];
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: 'block.mjs',
    reportDiagnostics: true,
    compilerOptions: { allowJs: true, module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext },
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the blocks of a page', () => {
  it.each(Object.entries(SERVER_PAGES))('are all there and well formed: %s', (page, least) => {
    const blocks = blocksOf(page);
    expect(blocks.filter(({ kind }) => kind !== 'output').length).toBeGreaterThanOrEqual(least);
    expect(blocks.flatMap(faultsIn)).toEqual([]);
  });

  it.each([
    ['sh', 'if true; then echo 1\n'],
    ['js', 'const = 1;\n'],
  ])('are not well formed in %s with a mistake like %j', (language, text) => {
    expect(faultsIn({ line: 1, kind: 'run', language, name: '', text })).not.toEqual([]);
  });
});

describe('the blocks of a page, run in order', () => {
  let folder: Folder;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = openFolder();
    await until(server, 'Lotward is ready.\n  lw_…');
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+(?=\/v2)/.exec(server.output()) ?? [];
    const [key = ''] = /lw_\w+/.exec(server.output()) ?? [];
    const client = await runCommandWith(
      own,
      ...['client', 'create', '--org', 'demo', '--name', 'guide', '--scope', 'products:read', '--json'],
    );
    const { clientId, clientSecret } = JSON.parse(client.out) as Record<string, string>;
    env = {
      ...own,
      LOTWARD_URL: url,
      LOTWARD_API_KEY: key,
      LOTWARD_CLIENT_ID: clientId ?? '',
      LOTWARD_CLIENT_SECRET: clientSecret ?? '',
    };
  }, 300_000);
  afterAll(() => folder.remove());

  for (const page of Object.keys(SERVER_PAGES))
    it.skipIf(!fullTier && COSTLY.includes(page))(
      `succeed and print what the page shows: ${page}`,
      () => runBlocks(blocksOf(page), folder.path, env),
      300_000,
    );
});

/** After the guides: the simulated business changes what they show. */
it('the README leads from a clone to a verified webhook in fewer than ten commands', async () => {
  const commands = readme
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split(/\n|&&/));
  // `git clone` and `cd` come before these.
  expect(commands.length).toBeGreaterThanOrEqual(3);
  expect(commands.length + 2).toBeLessThan(10);
  expect(readme[0]?.text.startsWith(INSTALL)).toBe(true);
  expect([start.kind, ready.kind]).toEqual(['background', 'arrives']);
  expect(commands.join()).toContain(SIMULATED);
  await runBlocks(rest, repository, own);
}, 600_000);
