import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, repository, SERVER_PAGES } from './guide.js';
import { openFolder, type Program, runBlocks, startProgram, until } from './run-guide.js';

/** The real program with its demo data, as the guides assume it. */
let server: Program;
let folder: ReturnType<typeof openFolder>;
let env: Record<string, string>;
beforeAll(async () => {
  folder = openFolder();
  const own = { LOTWARD_DATA_DIR: `${folder.path}/data`, LOG_LEVEL: 'warn' };
  server = startProgram('node server/bin/lotward.mjs start', { ...own, PORT: '0' }, repository);
  await until(server.output, 'Lotward is ready.\n  lw_…', 240_000);
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+(?=\/v2)/.exec(server.output()) ?? [];
  const [key = ''] = /lw_\w+/.exec(server.output()) ?? [];
  const client = spawnSync(
    process.execPath,
    [
      'server/bin/lotward.mjs',
      ...['client', 'create', '--org', 'demo', '--name', 'guide', '--scope', 'products:read', '--json'],
    ],
    { cwd: repository, env: { ...process.env, ...own }, encoding: 'utf8' },
  );
  const { clientId, clientSecret } = JSON.parse(client.stdout) as Record<string, string>;
  env = {
    ...own,
    LOTWARD_URL: url,
    LOTWARD_API_KEY: key,
    LOTWARD_CLIENT_ID: clientId ?? '',
    LOTWARD_CLIENT_SECRET: clientSecret ?? '',
  };
}, 300_000);
afterAll(async () => {
  await server.stop();
  folder.remove();
}, 60_000);

describe('the blocks of a page, run in order', () => {
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
