import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { inject } from 'vitest';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import { type CommandRun, runCommandWith, withAdmin } from '../harness/index.js';

const program = fileURLToPath(new URL('../../bin/lotward.mjs', import.meta.url));
const LOCK = 2;

/** A data folder whose database is created and migrated, made once in a run by the first test that needs it. */
const requireReadyFolder = (): Promise<string> =>
  withAdmin(inject('postgresUrl'), async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [LOCK]);
    const folder = join(inject('runFolder'), 'ready-installation');
    if (existsSync(folder)) return folder;
    const unfinished = `${folder}.new`;
    const { exitCode, err } = await runCommandWith({ LOTWARD_DATA_DIR: unfinished }, 'org', 'list');
    if (exitCode !== 0) throw new Error(err);
    renameSync(unfinished, folder);
    return folder;
  });

/** The command as a user runs it, in a folder of its own. Everything it starts is ended by `remove`. */
export class Installation {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'lotward-journey-'));
  readonly #started: RunningCommand[] = [];

  /** Gives it a database that an earlier command made; the first start on an empty folder is for the tests of the embedded database. */
  async prepare(): Promise<this> {
    const ready = await requireReadyFolder();
    // With its owners and modes: PostgreSQL may run under an account of its own.
    execFileSync('cp', ['-a', `${ready}/.`, this.dataDir]);
    const connection = join(this.dataDir, 'postgres.json');
    const { password } = JSON.parse(readFileSync(connection, 'utf8'));
    // Not the port of another copy.
    writeFileSync(connection, JSON.stringify({ port: await freePort(), password }));
    return this;
  }

  settings(extra: Record<string, string>): Record<string, string> {
    return { LOTWARD_DATA_DIR: this.dataDir, LOTWARD_DEMO: '0', LOG_LEVEL: 'warn', ...extra };
  }

  /** Runs a command to its end within this process, beside the others that use the folder. */
  command(...args: string[]): Promise<CommandRun> {
    return runCommandWith({ LOTWARD_DATA_DIR: this.dataDir }, ...args);
  }

  /** Runs a command that must succeed within this process and returns its JSON. */
  async cli<T>(...args: string[]): Promise<T> {
    const { exitCode, out, err } = await this.command(...args, '--json');
    if (exitCode !== 0) throw new Error(`lotward ${args.join(' ')}: ${err || out}`);
    return JSON.parse(out) as T;
  }

  /** Starts a long-running command; the caller awaits `ready` or `exit`. */
  start(
    command: 'start' | 'api' | 'worker',
    port: number,
    settings: Record<string, string> = {},
  ): RunningCommand {
    const child = spawn(process.execPath, [program, command], {
      env: { PATH: process.env.PATH, ...this.settings({ PORT: String(port), ...settings }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running = new RunningCommand(child, `http://127.0.0.1:${port}`);
    this.#started.push(running);
    return running;
  }

  get postmasterPid(): number | null {
    try {
      return Number(readFileSync(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return null;
    }
  }

  get ownerUrl(): string {
    const { port, password } = JSON.parse(readFileSync(join(this.dataDir, 'postgres.json'), 'utf8'));
    return `postgres://lotward:${password}@127.0.0.1:${port}/lotward`;
  }

  /** As the owner, past everything the service may not do. */
  async owner(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.ownerUrl,
      options: '-c search_path=lotward,public',
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async endProcesses(): Promise<void> {
    await Promise.all(this.#started.map((running) => running.end('SIGKILL')));
  }

  async remove(): Promise<void> {
    await this.endProcesses();
    const pid = this.postmasterPid;
    if (pid !== null && isAlive(pid)) {
      process.kill(pid, 'SIGQUIT');
      while (isAlive(pid)) await nextTurn();
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export class RunningCommand {
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Resolves when it says that it is ready; rejects, with its words, when it ends before. */
  readonly ready: Promise<void>;
  output = '';

  constructor(
    readonly child: ChildProcess,
    readonly url: string,
  ) {
    this.exit = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
    this.ready = new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          this.output += chunk.toString('utf8');
          if (this.output.includes('Lotward is ready.')) resolve();
        });
      }
      void this.exit.then(({ code, signal }) =>
        reject(new Error(`ended (${signal ?? code}) before it was ready: ${this.output}`)),
      );
    });
    // Some tests only wait for the end.
    this.ready.catch(() => {});
  }

  async end(signal: NodeJS.Signals) {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.exit;
  }
}

/** Does the process exist and still run? One that ended and was not collected yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch {
    return true;
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
