import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type Block, matches, repository } from './guide.js';

export interface Program {
  output(): string;
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** Starts a program that keeps running, as in a terminal of its own. */
export function startProgram(command: string, env: Environment, cwd: string): Program {
  // In its own process group, so that children of npm end with npm.
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: { ...baseEnvironment(), ...env },
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  return { output: () => output, stop: () => stopGroup(child) };
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}

/** Nothing from the environment of the test run reaches the programs. */
const baseEnvironment = () => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
});

export async function until(output: () => string, shown: string, timeout = 240_000): Promise<void> {
  await vi.waitFor(() => expect(matches(shown, output()) || output()).toBe(true), { timeout, interval: 50 });
}

/** Makes a folder in which the packages of this repository are installed, as a reader would have it. */
export function openFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'lotward-guide-'));
  symlinkSync(join(repository, 'node_modules'), join(path, 'node_modules'));
  writeFileSync(join(path, 'package.json'), '{"private": true}');
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

/** Runs a page block by block and compares the output with what the page shows. */
export async function runBlocks(blocks: readonly Block[], folder: string, env: Environment): Promise<void> {
  const variables = { ...env };
  const background: Program[] = [];
  let printed = '';
  try {
    for (const [index, block] of blocks.entries()) {
      if (block.kind === 'file') writeFileSync(join(folder, block.name), block.text);
      else if (block.kind === 'background') background.push(startProgram(block.text, variables, folder));
      else if (block.kind === 'run') printed = await runBlock(block, folder, variables);
      else if (block.kind === 'again') {
        const shown = blocks[index + 1]?.text ?? '';
        for (printed = ''; !matches(shown, printed); ) printed = await runBlock(block, folder, variables);
      } else if (block.kind === 'output') expectShown(block, printed);
      else await until(() => background.at(-1)?.output() ?? '', block.text);
    }
  } finally {
    for (const program of background) await program.stop();
  }
}

function expectShown({ line, text }: Block, printed: string): void {
  expect([`line ${line}`, matches(text, printed) || printed]).toEqual([`line ${line}`, true]);
}

/** Runs one block. Its exported variables stay set for the next, as in one terminal. */
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
