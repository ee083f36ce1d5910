import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { withAdmin } from '../harness/cluster.js';
import { isAlive } from '../journeys/service-process.js';

/** Nothing acknowledged may depend on a disk that was not waited for. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const POLLED = { timeout: 60_000, interval: 50 };
const STARTED = { timeout: 60_000, interval: 500 };

/** A node of the cluster on this machine, which can be killed and comes back as it was started. */
export class LocalNode {
  readonly #url: string;
  #folder = '';
  #program = '';
  #args: string[] = [];
  #account = { uid: 0, gid: 0 };
  #environment: Record<string, string> = {};
  #log = '';

  private constructor(url: string) {
    this.#url = url;
  }

  static async at(url: string): Promise<LocalNode> {
    const node = new LocalNode(url);
    node.#folder = await withAdmin(url, async (admin) => {
      for (const [name, value] of Object.entries(DURABLE))
        await admin.query(`alter system set ${name} = ${value}`);
      await admin.query('select pg_reload_conf()');
      const { rows } = await admin.query<{ data_directory: string }>('show data_directory');
      return rows[0]?.data_directory ?? '';
    });
    const process = `/proc/${node.#pid}`;
    node.#program = readlinkSync(`${process}/exe`);
    node.#args = readFileSync(`${process}/cmdline`, 'utf8').split('\0').slice(1, -1);
    node.#environment = Object.fromEntries(
      readFileSync(`${process}/environ`, 'utf8')
        .split('\0')
        .map((setting) => [setting.split('=', 1)[0], setting.slice(setting.indexOf('=') + 1)]),
    );
    node.#account = { uid: statSync(process).uid, gid: statSync(process).gid };
    node.#log = readlinkSync(`${process}/fd/2`);
    return node;
  }

  get #pid(): number {
    return Number(readFileSync(join(this.#folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  get port(): number {
    return Number(new URL(this.#url).port);
  }

  /** As a loss of power would, but for the files. Its backends notice, and are gone when this resolves. */
  async kill(): Promise<void> {
    const pid = this.#pid;
    const backends = childrenOf(pid);
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect([pid, ...backends].filter(isAlive)).toEqual([]), POLLED);
  }

  async start(): Promise<void> {
    await vi.waitFor(async () => {
      // It refuses to run as long as the process that was killed is not collected.
      if (!isAlive(this.#pid)) this.#spawn();
      await withAdmin(this.#url, (admin) => admin.query('select 1'));
    }, STARTED);
  }

  /** Outlives the tests, as it did before them. */
  #spawn(): void {
    const log = openSync(this.#log, 'a');
    const child = spawn('setsid', ['--fork', this.#program, ...this.#args], {
      ...this.#account,
      env: this.#environment,
      cwd: '/',
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.unref();
  }

  /** With the settings that it was given for other tests. */
  async relax(): Promise<void> {
    await withAdmin(this.#url, async (admin) => {
      for (const name of Object.keys(DURABLE)) await admin.query(`alter system reset ${name}`);
      await admin.query('select pg_reload_conf()');
    });
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
