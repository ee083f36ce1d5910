import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageDirectory } from '../package-directory.js';

/** The answer of a thread: see `bin/background-thread.mjs`. */
type Reply<R> = { done: R } | { failure: string };

/**
 * Threads of this process for work that would block the event loop. They have a lower priority than requests. A thread is
 * started for each concurrent piece of work, which the caller limits. An idle one does not keep the process alive.
 */
export class BackgroundThreads {
  readonly #program: string;
  readonly #idle: Worker[] = [];

  /** `program` is a file of `bin`. */
  constructor(program: string) {
    this.#program = join(packageDirectory, 'bin', program);
  }

  async ask<R>(message: object): Promise<R> {
    const worker = this.#idle.pop() ?? this.#start();
    worker.ref();
    const answered = once(worker, 'message');
    worker.postMessage(message);
    // A thread that failed is not reused.
    const [reply] = (await answered) as [Reply<R>];
    worker.unref();
    this.#idle.push(worker);
    if ('failure' in reply) throw new Error(reply.failure);
    return reply.done;
  }

  #start(): Worker {
    const worker = new Worker(this.#program);
    // The work that waits for it reports the error. Without a listener it would end the process.
    worker.on('error', () => {});
    worker.once('exit', () => {
      const at = this.#idle.indexOf(worker);
      if (at !== -1) this.#idle.splice(at, 1);
    });
    return worker;
  }
}
