import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RUN_PAGES, readBlocks, repository } from './guide.js';

const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: repository,
  encoding: 'utf8',
});
const pages = listed.stdout.split('\n').filter((page) => page !== '' && page !== 'CHANGELOG.md');

describe('the fenced blocks of all pages', () => {
  it('are marked, and those that are no illustration are run', () => {
    expect(pages.length).toBeGreaterThan(50);
    const blocks = pages.flatMap((page) =>
      readBlocks(page, readFileSync(join(repository, page), 'utf8')).map((block) => ({ page, ...block })),
    );
    expect(blocks.length).toBeGreaterThan(80);
    const notRun = blocks.filter(({ page, kind }) => kind !== 'illustration' && !RUN_PAGES.includes(page));
    expect(notRun.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  it.each(['```\ncode\n```', '```sh\ncode\n```', '```json example\ncode\n```', '```sh running\ncode\n```'])(
    'are refused without a mark that the runner knows: %j',
    (markdown) => {
      expect(() => readBlocks('page.md', `# Page\n\n${markdown}\n`)).toThrow(/^page\.md:3: mark the block/);
    },
  );
});
