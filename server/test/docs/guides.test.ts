import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandWith, sized } from '../harness/index.js';
import { type Block, blocksOf, repository, SERVER_PAGES } from './guide.js';
import {
  type Folder,
  openFolderWithCommand,
  type Program,
  runBlocks,
  startProgram,
  until,
} from './run-guide.js';

const INSTALL = 'npm ci && ';
const SIMULATED = '--seconds 15';

/** The README but for what need not be repeated: this repository is installed, and events arrive from the first second. */
const readme = blocksOf('README.md');
const adapted = readme.map((block) => ({
  ...block,
  text: block.text.replace(INSTALL, '').replace(SIMULATED, `--seconds ${sized(4, 15)}`),
}));
const [start, ready, ...rest] = adapted as [Block, Block, ...Block[]];

/** The real program, started on an empty folder as the README says. The guides assume the demo that this loads. */
let server: Program;
let own: Record<string, string>;
beforeAll(async () => {
  own = { LOTWARD_DATA_DIR: mkdtempSync(join(tmpdir(), 'lotward-readme-')), PORT: '0' };
  server = startProgram(start.text, own, repository);
  await until(server.output, ready.text);
}, 300_000);
afterAll(async () => {
  await server.stop();
  rmSync(own.LOTWARD_DATA_DIR ?? '', { recursive: true });
}, 60_000);

describe('the blocks of a page, run in order', () => {
  let folder: Folder;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await openFolderWithCommand(own);
    await until(server.output, 'Lotward is ready.\n  lw_…');
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+(?=\/v2)/.exec(server.output()) ?? [];
    const [key = ''] = /lw_\w+/.exec(server.output()) ?? [];
    const client = await runCommandWith(
      own,
      ...['client', 'create', '--org', 'demo', '--name', 'guide', '--scope', 'products:read', '--json'],
    );
    const { clientId, clientSecret } = JSON.parse(client.out) as Record<string, string>;
    env = {
      ...folder.env,
      ...own,
      LOTWARD_URL: url,
      LOTWARD_API_KEY: key,
      LOTWARD_CLIENT_ID: clientId ?? '',
      LOTWARD_CLIENT_SECRET: clientSecret ?? '',
    };
  }, 300_000);
  afterAll(() => folder.remove());

  it.each(Object.entries(SERVER_PAGES))(
    'succeed and print what the page shows: %s',
    async (page, least) => {
      const blocks = blocksOf(page);
      expect(blocks.filter(({ kind }) => kind !== 'output').length).toBeGreaterThanOrEqual(least);
      await runBlocks(blocks, folder.path, env);
    },
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
