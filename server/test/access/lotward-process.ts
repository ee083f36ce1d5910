import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { startCommandWith, TEST_SECRET_KEY, type TestDatabase } from '../harness/index.js';

const launcher = fileURLToPath(new URL('../../bin/lotward.mjs', import.meta.url));

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The minimal environment of a program, with the database of the test. */
export const environmentFor = (db: Pick<TestDatabase, 'url'>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  DATABASE_URL: db.url,
  LOTWARD_SECRET_KEY: TEST_SECRET_KEY,
  PORT: '0',
});

interface Server {
  url: string;
  /** Its exit code. */
  stop(): Promise<number | null>;
}

const urlIn = (said: string) => /(https?:\/\/127\.0\.0\.1:\d+)\/v2/.exec(said)?.[1];

/** Starts the real server and returns once it says that it is ready. */
export async function startLotward(
  command: 'api' | 'start',
  env: Record<string, string>,
  options: readonly string[] = [],
): Promise<Server> {
  const child: ChildProcess = spawn(process.execPath, [launcher, command, ...options], {
    env: { ...env, LOG_LEVEL: 'silent' },
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    const listen = (text: unknown) => {
      said += text;
      const found = urlIn(said);
      if (found) resolve(found);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', () => reject(new Error(`lotward ${command} ended: ${said}`)));
  });
  return {
    url,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

/** The same within this process, which takes a tenth of the time. */
export async function startLotwardHere(
  ...[command, env, options = []]: Parameters<typeof startLotward>
): Promise<Server> {
  const { said, stop } = startCommandWith({ ...env, LOG_LEVEL: 'silent' }, command, ...options);
  await expect.poll(() => urlIn(said.out) ?? said.err).toMatch(/^http/);
  return { url: urlIn(said.out) ?? '', stop };
}
