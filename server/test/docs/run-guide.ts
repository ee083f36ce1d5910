import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type Block, matches, repository } from './guide.js';

export interface Program {
  said(): string;
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** A program that goes on, as in a terminal of its own. */
export function startProgram(command: string, env: Environment, cwd: string): Program {
  // A group of its own, so that what npm starts ends with npm.
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: { ...baseEnvironment(), ...env },
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  return { said: () => said, stop: () => stopGroup(child) };
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}

/** Nothing of the machine that runs the tests decides what happens. */
const baseEnvironment = () => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
});

export async function until(said: () => string, shown: string, timeout = 240_000): Promise<void> {
  await vi.waitFor(() => expect(matches(shown, said()) || said()).toBe(true), { timeout, interval: 50 });
}

/** A folder in which the packages of this repository are installed, as a reader would have it. */
export function openFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'lotward-guide-'));
  symlinkSync(join(repository, 'node_modules'), join(path, 'node_modules'));
  writeFileSync(join(path, 'package.json'), '{"private": true}');
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

/** Does what a page says, block by block, and compares what is said with what the page shows. */
export async function follow(blocks: readonly Block[], folder: string, env: Environment): Promise<void> {
  const variables = { ...env };
  const background: Program[] = [];
  let said = '';
  try {
    for (const [index, block] of blocks.entries()) {
      if (block.kind === 'file') writeFileSync(join(folder, block.name), block.text);
      else if (block.kind === 'background') background.push(startProgram(block.text, variables, folder));
      else if (block.kind === 'run') said = await runBlock(block, folder, variables);
      else if (block.kind === 'again') {
        const shown = blocks[index + 1]?.text ?? '';
        for (said = ''; !matches(shown, said); ) said = await runBlock(block, folder, variables);
      } else if (block.kind === 'output') expectShown(block, said);
      else await until(() => background.at(-1)?.said() ?? '', block.text);
    }
  } finally {
    for (const program of background) await program.stop();
  }
}

function expectShown({ line, text }: Block, said: string): void {
  expect([`line ${line}`, matches(text, said) || said]).toEqual([`line ${line}`, true]);
}

/** What it exports is kept for the next, as in one terminal. */
async function runBlock(block: Block, folder: string, variables: Record<string, string>) {
  const where = `line ${block.line}`;
  const kept = join(tmpdir(), `lotward-variables-${process.pid}.json`);
  const module = join(folder, 'block.mjs');
  if (block.language === 'js') writeFileSync(module, block.text);
  const keep = `${JSON.stringify(process.execPath)} -e 'require("fs").writeFileSync(process.argv[1], JSON.stringify(process.env))' ${kept}`;
  const command = block.language === 'js' ? `node ${module}` : `${block.text}\n${keep}`;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: folder,
    env: { ...baseEnvironment(), ...variables },
  });
  let out = '';
  let all = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
    all += chunk;
  });
  child.stderr.on('data', (chunk) => {
    all += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  expect([where, code, code === 0 ? '' : all]).toEqual([where, 0, '']);
  if (block.language === 'sh') {
    Object.assign(variables, JSON.parse(readFileSync(kept, 'utf8')));
    rmSync(kept);
  }
  return out;
}
