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

/** Pages of docs/guides whose blocks are run, with the least number of blocks that must be found in each. */
export const RUN_GUIDES = {
  'quick-start': 12,
  client: 4,
  oauth: 3,
  people: 2,
  webhooks: 3,
  tracing: 1,
  environment: 2,
  importing: 6,
  receiving: 3,
  scanning: 1,
  certificates: 2,
  recalls: 1,
} as const;

/** All pages whose blocks are run. */
export const RUN_PAGES = [
  'README.md',
  'udi/README.md',
  ...Object.keys(RUN_GUIDES).map((guide) => `docs/guides/${guide}.md`),
];

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
