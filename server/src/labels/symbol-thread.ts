import { BackgroundThreads } from '../platform/background-thread/index.js';
import { FairQueue, type FairQueueLimits } from '../platform/fair-queue/index.js';
import { refuseLabel } from './label.errors.js';
import type { Drawing } from './label.rules.js';

/** A symbol as the inside of an SVG, in units of the drawing. */
export interface DrawnSymbol {
  width: number;
  height: number;
  content: string;
}

/**
 * One at a time, in turn by organization. Labels of an organization take fewer slots than it has for reads, and leave the
 * rest to its other reads.
 */
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

const turns = new FairQueue(LIMITS);
const threads = new BackgroundThreads('symbol-thread.mjs');
const kept = new Map<string, DrawnSymbol>();

export async function drawSymbol(owner: string, text: string, shape: Drawing['shape']): Promise<DrawnSymbol> {
  const name = `${shape} ${text}`;
  const known = kept.get(name);
  if (known) return known;
  return turns.run(owner, async () => {
    const drawn = kept.get(name) ?? (await drawNow(text, shape));
    if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value as string);
    kept.set(name, drawn);
    return drawn;
  });
}

async function drawNow(text: string, shape: Drawing['shape']): Promise<DrawnSymbol> {
  try {
    return symbolOf(await threads.ask<string>({ text, shape }));
  } catch (error) {
    // Errors of the encoder itself mean that the symbol cannot hold the text.
    if (/bwipp\.\w+/.test((error as Error).message)) throw refuseLabel('symbology_mismatch', 'symbology');
    throw error;
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
