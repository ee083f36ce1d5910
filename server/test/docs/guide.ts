import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** The mark after the language of a fenced block decides how it is tested; readers do not see it. */
export interface Block {
  line: number;
  /** `again`: repeated until it prints the output that follows, for effects that take a moment. */
  kind: 'run' | 'again' | 'background' | 'file' | 'output' | 'arrives' | 'illustration';
  language: string;
  /** The name of a `file` block, else empty. */
  name: string;
  text: string;
}

/** Pages whose blocks are run against a server, with the least number of blocks that must be found in each. */
export const SERVER_PAGES = {
  'docs/guides/quick-start.md': 12,
  'docs/guides/client.md': 4,
  'docs/guides/orders.md': 2,
  'docs/guides/reading.md': 5,
  'docs/guides/stock.md': 3,
  'docs/guides/go-live.md': 2,
  'docs/guides/changing.md': 3,
  'docs/guides/oauth.md': 3,
  'docs/guides/people.md': 2,
  'docs/guides/webhooks.md': 3,
  'docs/guides/failed-calls.md': 3,
  'docs/guides/sandbox.md': 4,
  'docs/guides/tracing.md': 1,
  'docs/guides/environment.md': 2,
  'docs/guides/importing.md': 6,
  'docs/guides/receiving.md': 3,
  'docs/guides/scanning.md': 1,
  'docs/guides/certificates.md': 2,
  'docs/guides/quality.md': 4,
  'docs/guides/recalls.md': 1,
  'client/README.md': 2,
} as const;

/** All pages whose blocks are run. */
export const RUN_PAGES = ['README.md', 'udi/README.md', ...Object.keys(SERVER_PAGES)];

const FENCE = /^```(.*)\n([\s\S]*?)^```$/gm;
const INFO = /^(\w+) (run|again|background|output|arrives|illustration|file=(\S+))$/;

/** All fenced blocks of a page, in their order. A block without a mark is an error: nothing would test it. */
export function readBlocks(page: string, markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(({ 1: info = '', 2: text = '', index }) => {
    const line = markdown.slice(0, index).split('\n').length;
    const parts = INFO.exec(info);
    if (parts === null)
      throw new Error(`${page}:${line}: mark the block as run, output, … or illustration, not \`${info}\``);
    const [, language = '', mark = '', name = ''] = parts;
    return { line, kind: (name === '' ? mark : 'file') as Block['kind'], language, name, text };
  });
}

/** The blocks of a page that are run, in their order. */
export function blocksOf(page: string): Block[] {
  const blocks = readBlocks(page, readFileSync(join(repository, page), 'utf8'));
  return blocks.filter(({ kind }) => kind !== 'illustration');
}

/** `…` stands for anything; each line must come after the one before. */
export function matches(shown: string, printed: string): boolean {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const lines = shown
    .trimEnd()
    .split('\n')
    .map((line) => line.split('…').map(literal).join('.*'));
  return new RegExp(lines.join('[\\s\\S]*?')).test(printed);
}
