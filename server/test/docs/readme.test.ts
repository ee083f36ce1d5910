import { expect, it, onTestFinished } from 'vitest';
import { blocksOf } from './guide.js';
import { openFolder, runBlocks } from './run-guide.js';

it('the README of udi shows what its examples print', async () => {
  const folder = openFolder();
  onTestFinished(folder.remove);
  const blocks = blocksOf('udi/README.md');
  expect(blocks.filter(({ kind }) => kind === 'run').length).toBeGreaterThanOrEqual(3);
  await runBlocks(blocks, folder.path, {});
});
