import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** What stands behind the language of a fenced block says what it is; readers do not see it. */
export interface Block {
  line: number;
  /** `again`: until it says what is shown, because that takes a moment. */
  kind: 'run' | 'again' | 'background' | 'file' | 'output' | 'arrives';
  language: string;
  /** Of a file: its name. */
  name: string;
  text: string;
}

const FENCE = /^```(\w+) (run|again|background|output|arrives|file=(\S+))\n([\s\S]*?)^```$/gm;

/** The blocks of a page that are run, in their order. */
export function blocksOf(page: string): Block[] {
  const markdown = readFileSync(join(repository, page), 'utf8');
  return [...markdown.matchAll(FENCE)].map((match) => {
    const [, language = '', mark = '', name = '', text = ''] = match;
    return {
      line: markdown.slice(0, match.index).split('\n').length,
      kind: (name === '' ? mark : 'file') as Block['kind'],
      language,
      name,
      text,
    };
  });
}

/** `…` stands for anything; each line must come after the one before. */
export function matches(shown: string, said: string): boolean {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const lines = shown
    .trimEnd()
    .split('\n')
    .map((line) => line.split('…').map(literal).join('.*'));
  return new RegExp(lines.join('[\\s\\S]*?')).test(said);
}
