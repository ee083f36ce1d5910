import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program beside this file in a process of its own, asked over its channel. It ends with its parent. */
export class Part {
  readonly #child: ChildProcess;

  constructor(program: string) {
    this.#child = fork(fileURLToPath(new URL(program, import.meta.url)), [], {
      env: { PATH: process.env.PATH },
      execArgv: [],
      // A session of its own: Linux shares the cores by session, and a machine of its own is what each stands for.
      detached: true,
    });
  }

  async ask<T>(message: object): Promise<T> {
    const settled = new AbortController();
    const { signal } = settled;
    const answered = once(this.#child, 'message', { signal }).then(([answer]) => answer as T);
    const ended = once(this.#child, 'exit', { signal }).then(([code]) => {
      throw new Error(`process ${this.#child.pid} ended with ${code}`);
    });
    try {
      this.#child.send(message);
      return await Promise.race([answered, ended]);
    } finally {
      settled.abort();
      await Promise.allSettled([answered, ended]);
    }
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }
}
