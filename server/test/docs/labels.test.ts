import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { clientCommands } from '../../src/cli/client-commands.js';
import { dailyCommand } from '../../src/cli/daily-command.js';
import { demoCommand } from '../../src/cli/demo-command.js';
import { importCommands } from '../../src/cli/import-command.js';
import { keyCommands } from '../../src/cli/key-commands.js';
import { openApiCommand } from '../../src/cli/openapi-command.js';
import { organizationCommands } from '../../src/cli/organization-commands.js';
import { secretsCommand } from '../../src/cli/secrets-command.js';
import { serviceCommands } from '../../src/cli/service-commands.js';
import { simulateCommand } from '../../src/cli/simulate-command.js';
import { udiCommand } from '../../src/cli/udi-command.js';
import { userCommands } from '../../src/cli/user-commands.js';
import { verifyCommands } from '../../src/cli/verify-commands.js';
import { webhookCommand } from '../../src/cli/webhook-command.js';
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

/** A label is quoted ("Open recall"), or part of a path (Settings → API management). */
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
    for (const register of [
      serviceCommands,
      organizationCommands,
      userCommands,
      keyCommands,
      clientCommands,
      dailyCommand,
      verifyCommands,
      secretsCommand,
      webhookCommand,
      simulateCommand,
      udiCommand,
      openApiCommand,
      importCommands,
      demoCommand,
    ])
      register(program);
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
