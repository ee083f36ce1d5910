import type { PlainPath } from '../paths.js';

/** Pages by the letter after G. */
export const PAGE_KEYS: Readonly<Record<string, PlainPath>> = {
  h: '/',
  o: '/orders',
  d: '/dispatches',
  r: '/receipts',
  i: '/inventory',
  t: '/trace',
  p: '/products',
  c: '/certificates',
  w: '/webhooks',
  u: '/account',
};

/** Longer than a scanner pauses between two keys, yet short enough to wait for. */
export const PAUSE_MS = 200;
/** The second key of a sequence may take this long. */
const SEQUENCE_MS = 1_500;

export type Meaning = { kind: 'sheet' } | { kind: 'page'; path: PlainPath };

export interface Keys {
  /** The keys so far that may become a shortcut. */
  text: string;
  lastMs: number;
}
export const NO_KEYS: Keys = { text: '', lastMs: Number.NEGATIVE_INFINITY };

/** Adds a key. Keys at the speed of a scanner belong to a code, and have no meaning until it ends. */
export function addKey(before: Keys, key: string, atMs: number): Keys {
  const gapMs = atMs - before.lastMs;
  if (gapMs < PAUSE_MS) return { text: 'scan', lastMs: atMs };
  const isSecond = before.text === 'g' && gapMs <= SEQUENCE_MS;
  return { text: isSecond ? `g${key}` : key, lastMs: atMs };
}

/** The meaning of keys after a pause; null if they have none, or not yet. */
export function meaningOf({ text }: Keys): Meaning | null {
  if (text === '?') return { kind: 'sheet' };
  const path = text.length === 2 && text.startsWith('g') ? PAGE_KEYS[text.charAt(1)] : undefined;
  return path === undefined ? null : { kind: 'page', path };
}
