import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { blocksOf, repository } from './guide.js';
import { openFolder, runBlocks } from './run-guide.js';

const INSTALL = 'npm ci && ';

it('the README leads from a clone to a verified webhook in fewer than ten commands', async () => {
  const blocks = blocksOf('README.md');
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split(/\n|&&/));
  // `git clone` and `cd` come before these.
  expect(commands.length).toBeGreaterThanOrEqual(3);
  expect(commands.length + 2).toBeLessThan(10);
  expect(blocks[0]?.text.startsWith(INSTALL)).toBe(true);
  // This repository is installed already.
  const installed = blocks.map((block) => ({ ...block, text: block.text.replace(INSTALL, '') }));
  const data = mkdtempSync(join(tmpdir(), 'lotward-readme-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  await runBlocks(installed, repository, { LOTWARD_DATA_DIR: data, PORT: '0' });
}, 600_000);

it('the README of udi shows what its examples print', async () => {
  const folder = openFolder();
  onTestFinished(folder.remove);
  const blocks = blocksOf('udi/README.md');
  expect(blocks.filter(({ kind }) => kind === 'run').length).toBeGreaterThanOrEqual(3);
  await runBlocks(blocks, folder.path, {});
});
