import { describe, expect, it, onTestFinished } from 'vitest';
import { type Block, blocksOf } from './guide.js';
import { openFolder, runBlocks } from './run-guide.js';

it('the README of udi shows what its examples print', async () => {
  const folder = openFolder();
  onTestFinished(folder.remove);
  const blocks = blocksOf('udi/README.md');
  expect(blocks.filter(({ kind }) => kind === 'run').length).toBeGreaterThanOrEqual(3);
  await runBlocks(blocks, folder.path, {});
});

const block = (kind: Block['kind'], language: string, text: string): Block => {
  return { line: 7, kind, language, name: '', text };
};

describe('a page does not pass', () => {
  it.each([
    ['whose module throws', [block('run', 'js', "console.log(1);\nthrow new Error('broken');\n")]],
    ['whose shell fails before its last line', [block('run', 'sh', 'false\necho done\n')]],
    ['whose command of ours fails', [block('run', 'sh', 'npx lotward no-such-command\n')]],
    [
      'whose module prints otherwise',
      [block('run', 'js', 'console.log(1)\n'), block('output', 'text', '2\n')],
    ],
    ['whose shell prints otherwise', [block('run', 'sh', 'echo 1\n'), block('output', 'text', '2\n')]],
  ])('%s', async (_, blocks) => {
    const folder = openFolder();
    onTestFinished(folder.remove);
    await expect(runBlocks(blocks, folder.path, {})).rejects.toThrow('line 7');
  });
});

it('a command of ours gets the words that a shell would give it', async () => {
  const folder = openFolder();
  onTestFinished(folder.remove);
  const code = "'(01)09521234543213(17)280426(10)AB'";
  await runBlocks(
    [
      block('run', 'sh', `export CODE=${code}\nnpx lotward udi read "$CODE"\necho "$CODE" read\n`),
      block('output', 'text', '09521234543213\n(10)AB read\n'),
    ],
    folder.path,
    {},
  );
});
