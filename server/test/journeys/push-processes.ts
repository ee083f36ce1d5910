import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RunningCommand } from './service-process.js';

const program = fileURLToPath(new URL('../../bin/lotward.mjs', import.meta.url));

/** API and worker processes that may push to loopback addresses. `end` kills all of them. */
export class PushProcesses {
  readonly #settings: Readonly<Record<string, string>>;
  readonly #started: RunningCommand[] = [];
  #ended = false;

  constructor(settings: Readonly<Record<string, string>>) {
    this.#settings = settings;
  }

  /** Resolves when it is ready. */
  async start(part: 'api' | 'worker', port = 0): Promise<RunningCommand> {
    if (this.#ended) throw new Error('processes have been ended');
    const child = spawn(process.execPath, [program, part], {
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        LOTWARD_DEMO: '0',
        LOG_LEVEL: 'fatal',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        ...this.#settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running = new RunningCommand(child, `http://127.0.0.1:${port}`);
    this.#started.push(running);
    await running.ready;
    return running;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#started.map((running) => running.end('SIGKILL')));
  }
}
