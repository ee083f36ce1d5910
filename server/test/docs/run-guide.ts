import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { runCommandWith } from '../harness/index.js';
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

export interface Folder {
  path: string;
  env: Environment;
  remove(): Promise<void>;
}

/** Makes a folder in which the packages of this repository are installed, as a reader would have it. */
export function openFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'lotward-guide-'));
  symlinkSync(join(repository, 'node_modules'), join(path, 'node_modules'));
  writeFileSync(join(path, 'package.json'), '{"private": true}');
  return { path, env: {}, remove: async () => rmSync(path, { recursive: true }) };
}

/**
 * The same, with an `npx lotward` that runs the command within this process: the real one takes two seconds each time
 * to load the service, and the README's test uses it.
 */
export async function openFolderWithCommand(settings: Environment): Promise<Folder> {
  const { path, remove } = openFolder();
  const server = createServer(async (request, response) => {
    const args = new URLSearchParams(await text(request)).getAll('arg');
    const cwd = process.cwd();
    process.chdir(path);
    const run = await runCommandWith(settings, ...args).finally(() => process.chdir(cwd));
    response.writeHead(run.exitCode === 0 ? 200 : 500).end(run.exitCode === 0 ? run.out : run.out + run.err);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  mkdirSync(join(path, 'bin'));
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(path, 'bin', 'npx'), npxScript(`http://127.0.0.1:${port}/`), { mode: 0o755 });
  return {
    path,
    env: { PATH: `${join(path, 'bin')}:${process.env.PATH}` },
    async remove() {
      server.close();
      await remove();
    },
  };
}

/** A command that reads its input has a process of its own. */
const npxScript = (url: string) => `#!/bin/bash
set -eu
test "$1" = lotward
shift
args=()
for arg in "$@"; do
  if test "$arg" = -; then exec ${process.execPath} ${join(repository, 'server/bin/lotward.mjs')} "$@"; fi
  args+=(--data-urlencode "arg=$arg")
done
exec curl -s --fail-with-body ${url} "\${args[@]}"
`;

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
  const kept = join(tmpdir(), `lotward-variables-${process.pid}`);
  const module = join(folder, 'block.mjs');
  if (block.language === 'js') writeFileSync(module, block.text);
  const command = block.language === 'js' ? `node ${module}` : `${block.text}\nenv -0 > ${kept}`;
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
    Object.assign(variables, readVariables(kept));
    rmSync(kept);
  }
  return out;
}

/** Reads the output of `env -0`. */
const readVariables = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
