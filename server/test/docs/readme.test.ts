import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { blocksOf, repository } from './guide.js';
import { follow } from './run-guide.js';

const INSTALL = 'npm ci && ';

it('the README leads from a clone to a verified webhook in fewer than ten commands', async () => {
  const blocks = blocksOf('README.md');
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split(/\n|&&/));
  // And before these: git clone, cd.
  expect(commands.length).toBeGreaterThanOrEqual(3);
  expect(commands.length + 2).toBeLessThan(10);
  expect(blocks[0]?.text.startsWith(INSTALL)).toBe(true);
  // It is installed: this test runs.
  const installed = blocks.map((block) => ({ ...block, text: block.text.replace(INSTALL, '') }));
  const data = mkdtempSync(join(tmpdir(), 'lotward-readme-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  await follow(installed, repository, { LOTWARD_DATA_DIR: data, PORT: '0' });
}, 600_000);
