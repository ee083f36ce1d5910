import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { expect, vi } from 'vitest';
import { runCommandWith } from '../harness/index.js';
import { type Block, matches, repository } from './guide.js';

export interface Program {
  output(): string;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/** A busy machine is slow. */
const PRINTED_MS = 240_000;

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
  return { output: () => output, hasEnded: () => hasEnded(child), stop: () => stopGroup(child) };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function stopGroup(child: ChildProcess): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
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

/** Waits until a program has printed what is shown; one that ended will not. */
export async function until({ output, hasEnded }: Program, shown: string): Promise<void> {
  const isThere = () => matches(shown, output());
  await vi
    .waitUntil(() => hasEnded() || isThere(), { timeout: PRINTED_MS, interval: 50 })
    .catch(() => undefined);
  expect.assert(isThere(), `not printed:\n${shown}\nbut:\n${output()}`);
}

export interface Folder {
  path: string;
  remove(): void;
}

/** Makes a folder in which the packages of this repository are installed, as a reader would have it. */
export function openFolder(): Folder {
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
      else await until(background.at(-1) ?? expect.fail(`line ${block.line}`), block.text);
    }
  } finally {
    for (const program of background) await program.stop();
  }
}

function expectShown({ line, text }: Block, printed: string): void {
  expect([`line ${line}`, matches(text, printed) || printed]).toEqual([`line ${line}`, true]);
}

/** Runs one block. Its exported variables stay set for the next, as in one terminal. */
async function runBlock({ language, line, text }: Block, folder: string, variables: Record<string, string>) {
  let out = '';
  for (const part of language === 'js' ? [text] : text.split(COMMANDS)) {
    const run = await runPart(language, part, folder, variables);
    expect([`line ${line}`, run.code, run.code === 0 ? '' : run.out + run.err]).toEqual([
      `line ${line}`,
      0,
      '',
    ]);
    out += run.out;
  }
  return out;
}

/** The lines that are nothing but one command of ours. */
const COMMANDS = /^(npx lotward [^|&;<>\n]*\n)/m;

interface Run {
  code: number | null;
  out: string;
  err: string;
}

function runPart(
  language: string,
  part: string,
  folder: string,
  variables: Record<string, string>,
): Promise<Run> {
  if (language === 'js') return runModule(part, folder, variables);
  return COMMANDS.test(part) ? runOurs(part, folder, variables) : runShell(part, folder, variables);
}

/** A thread has its own loader, environment and end like a process, and starts in a fraction of the time. */
async function runModule(source: string, folder: string, variables: Environment): Promise<Run> {
  const file = join(folder, 'block.mjs');
  writeFileSync(file, source);
  const env = { ...baseEnvironment(), ...variables };
  const thread = new Worker(file, { env, execArgv: [], stdout: true, stderr: true });
  let failure = '';
  thread.on('error', (error) => {
    failure = String(error);
  });
  const ended = new Promise<number>((resolve) => thread.once('exit', resolve));
  const [code, out, err] = await Promise.all([ended, text(thread.stdout), text(thread.stderr)]);
  return { code, out, err: err + failure };
}

/** Within this process: a process of its own takes two seconds to load the service, and the README's listener is one. */
async function runOurs(line: string, folder: string, variables: Environment): Promise<Run> {
  const { out: printed } = await runShell(line.replace('npx lotward', "printf '%s\\0'"), folder, {
    ...variables,
  });
  const cwd = process.cwd();
  const before = process.listeners('SIGTERM');
  process.chdir(folder);
  try {
    const { exitCode, out, err } = await runCommandWith(variables, ...printed.split('\0').slice(0, -1));
    return { code: exitCode, out, err };
  } finally {
    process.chdir(cwd);
    for (const each of process.listeners('SIGTERM')) if (!before.includes(each)) process.off('SIGTERM', each);
  }
}

async function runShell(lines: string, folder: string, variables: Record<string, string>): Promise<Run> {
  const kept = join(tmpdir(), `lotward-variables-${process.pid}`);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${lines}\nenv -0 > ${kept}`], {
    cwd: folder,
    env: { ...baseEnvironment(), ...variables },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code === 0) Object.assign(variables, readVariables(kept));
  rmSync(kept, { force: true });
  return { code, out, err };
}

/** Reads the output of `env -0`. */
const readVariables = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
