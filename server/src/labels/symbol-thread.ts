import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FairQueue, type FairQueueLimits } from '../platform/fair-queue/index.js';
import { packageDirectory } from '../platform/package-directory.js';
import { refuseLabel } from './label.errors.js';
import type { Drawing } from './label.rules.js';

/** A symbol as the inside of an SVG, in units of the drawing. */
export interface DrawnSymbol {
  width: number;
  height: number;
  content: string;
}

const PROGRAM = join(packageDirectory, 'bin/symbol-thread.mjs');
/** One at a time, in turn by organization. Its labels take fewer places than it has for reads, and leave the rest to its other reads. */
const LIMITS: FairQueueLimits = {
  atOnce: 1,
  atOncePerOwner: 1,
  waitingMax: 100,
  waitingPerOwnerMax: 15,
  waitMs: 5_000,
  reason: 'overloaded',
};
/** Labels are printed by the roll: the next one is often the same. */
const KEPT_MAX = 200;

/** The thread of this process that draws symbols, started with the first. */
class SymbolThread {
  readonly #turns = new FairQueue(LIMITS);
  readonly #kept = new Map<string, DrawnSymbol>();
  #worker: Worker | null = null;

  async draw(owner: string, text: string, shape: Drawing['shape']): Promise<DrawnSymbol> {
    const name = `${shape} ${text}`;
    const kept = this.#kept.get(name);
    if (kept) return kept;
    return this.#turns.run(owner, async () => {
      const drawn = this.#kept.get(name) ?? (await this.#drawNow(text, shape));
      if (this.#kept.size >= KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value as string);
      this.#kept.set(name, drawn);
      return drawn;
    });
  }

  async #drawNow(text: string, shape: Drawing['shape']): Promise<DrawnSymbol> {
    const worker = this.#running();
    const answered = once(worker, 'message');
    worker.postMessage({ text, shape });
    const [{ svg, failure }] = await answered;
    // Errors of the encoder itself mean that the symbol cannot hold the text.
    if (/bwipp\.\w+/.test(failure)) throw refuseLabel('symbology_mismatch', 'symbology');
    if (failure) throw new Error(failure);
    return symbolOf(svg);
  }

  /** A thread that failed is replaced for the next symbol. It never keeps the process alive. */
  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(PROGRAM);
    worker.unref();
    // Reported by the drawing that waits for it. Without a listener it would end the process.
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    this.#worker = worker;
    return worker;
  }
}

function symbolOf(svg: string): DrawnSymbol {
  const [, width, height] = /^<svg viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  const content = svg
    .replace(/^<svg[^>]*>/, '')
    .replace(/<\/svg>\s*$/, '')
    .trim();
  return { width: Number(width), height: Number(height), content };
}

const thread = new SymbolThread();
export const drawSymbol = thread.draw.bind(thread);
