import { PassThrough } from 'node:stream';
import { vi } from 'vitest';
import { main } from '../../src/cli.js';
import { TEST_SECRET_KEY, type TestDatabase } from './database.js';

export interface CommandRun {
  out: string;
  err: string;
  exitCode: number;
}

/** The command line within this process, on a test's database: the same but for the launcher, and ten times as fast. */
export const runCommand = (db: Pick<TestDatabase, 'url'>, ...args: string[]): Promise<CommandRun> =>
  runCommandWith({ DATABASE_URL: db.url, LOTWARD_SECRET_KEY: TEST_SECRET_KEY }, ...args);

/** The same with these settings, on an embedded database for example. */
export async function runCommandWith(
  settings: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<CommandRun> {
  const { said, restore } = keepOutput();
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  try {
    await main(['node', 'lotward', ...args]);
    return { ...said, exitCode: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = undefined;
    restore();
    vi.unstubAllEnvs();
  }
}

function keepOutput() {
  const said = { out: '', err: '' };
  const keep = (stream: 'stdout' | 'stderr', as: 'out' | 'err') =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      said[as] += String(text);
      return true;
    });
  const kept = [keep('stdout', 'out'), keep('stderr', 'err')];
  return {
    said,
    restore: () => {
      for (const spy of kept) spy.mockRestore();
    },
  };
}

/** A command that goes on until it is stopped. */
export interface LastingCommand {
  said: Readonly<{ out: string; err: string }>;
  /** Its exit code, once it has ended. */
  ended: Promise<number>;
  type(line: string): void;
  /** Sends it SIGTERM and returns its exit code. */
  stop(): Promise<number>;
}

const SERVICES = new Set(['start', 'api', 'worker']);

/** Within this process, whose environment, terminal, signals and end it believes to be its own. One at a time. */
export function startCommandWith(
  settings: Readonly<Record<string, string>>,
  ...args: string[]
): LastingCommand {
  const { said, restore } = keepOutput();
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const stdin = new PassThrough();
  const terminal = vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never);
  const exit = vi.spyOn(process, 'exit');
  const exited = new Promise<number>((resolve) => {
    exit.mockImplementation(((code?: number) => resolve(code ?? 0)) as never);
  });
  const others = [...process.rawListeners('SIGTERM'), ...process.rawListeners('SIGINT')];
  const listeners = (signal: 'SIGTERM' | 'SIGINT') =>
    process.rawListeners(signal).filter((each) => !others.includes(each)) as NodeJS.SignalsListener[];
  const ended = main(['node', 'lotward', ...args])
    // A service that started well returns, and ends the process later.
    .then(async () => Number(process.exitCode ?? (SERVICES.has(args[0] ?? '') ? await exited : 0)))
    .finally(() => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const)
        for (const listener of listeners(signal)) process.off(signal, listener);
      for (const spy of [terminal, exit]) spy.mockRestore();
      process.exitCode = undefined;
      restore();
      vi.unstubAllEnvs();
    });
  return {
    said,
    ended,
    type: (line) => stdin.write(`${line}\n`),
    stop() {
      for (const listener of listeners('SIGTERM')) listener('SIGTERM');
      return ended;
    },
  };
}
