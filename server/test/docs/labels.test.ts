import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { registerCommands } from '../../src/cli.js';
import { repository } from './guide.js';

const GUIDES = join(repository, 'docs/guides');
/** Labels of other programs. */
const FOREIGN = ['CSV UTF-8', 'Unicode text'];

const consoleTexts = readdirSync(join(repository, 'console/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(join(repository, 'console/src', file), 'utf8'))
  .filter((source) => source.includes('dictionary('))
  .flatMap((source) => [...source.matchAll(/(['`])([A-Z].*?)\1/g)])
  .map(([, , text = '']) => text);

/** A label is quoted ("Start recall"), or part of a path (Settings → API management). */
function quotedLabels(markdown: string): string[] {
  const prose = markdown.replace(/```.*?```/gs, '').replace(/`[^`]*`/g, '');
  const quoted = [...prose.matchAll(/"([A-Z][^"\n]*)"/g)].map(([, label = '']) => label);
  const paths = [...prose.matchAll(/Settings(?: → [A-Z][A-Za-z ]+)+/g)].flatMap(([path]) =>
    path.split(' → '),
  );
  return [...quoted, ...paths].map((label) => label.trim()).filter((label) => !FOREIGN.includes(label));
}

describe('the guides', () => {
  it('quote labels that the console shows', () => {
    const guides = readdirSync(GUIDES).filter((page) => /\.md$/.test(page) && page !== 'errors.md');
    const labels = guides.flatMap((page) =>
      quotedLabels(readFileSync(join(GUIDES, page), 'utf8')).map((label) => ({ page, label })),
    );
    expect(labels.length).toBeGreaterThan(12);
    expect(labels.filter(({ label }) => !consoleTexts.some((text) => text.startsWith(label)))).toEqual([]);
  });

  it('list every command and no other', () => {
    const program = new Command();
    registerCommands(program);
    const commands = program.commands.flatMap((command) =>
      command.commands.length === 0
        ? [command.name()]
        : command.commands.map((sub) => `${command.name()} ${sub.name()}`),
    );
    const [, section = ''] = readFileSync(join(GUIDES, 'running.md'), 'utf8').split('## Commands\n');
    const rows = section.split('\n## ')[0]?.match(/^\| `.*$/gm) ?? [];
    const listed = rows.flatMap(
      (row) => (row.split(' | ')[0] ?? '').match(/(?<=`)[a-z][a-z -]*(?=`)/g) ?? [],
    );
    expect(listed.toSorted()).toEqual(commands.toSorted());
  });
});
