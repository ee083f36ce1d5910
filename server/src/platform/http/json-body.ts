import { ApiError } from '../errors/index.js';
import { type RequestReason, requestReasons } from './reasons.js';

const DEPTH_MAX = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function invalid(reason: RequestReason, path: string | null = null, message?: string): ApiError {
  return new ApiError('invalid', [{ path, reason, message: message ?? requestReasons[reason].meaning }]);
}

/** Parses a body and refuses what JSON allows but nothing behind us can keep exactly. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw invalid('bad_json');
  }
  requireKeepable(value, '', 0);
  return value;
}

function requireKeepable(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') {
    if (!isKeepableText(value)) throw invalid('bad_text', path);
  } else if (typeof value === 'number') {
    // JSON.parse turns 1e400 into Infinity and rounds 2^53+1 without a word.
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      throw invalid('bad_number', path);
    }
  } else if (typeof value === 'object' && value !== null) {
    if (depth === DEPTH_MAX) throw invalid('too_deep', path);
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__' || !isKeepableText(key))
        throw invalid('unknown_field', `${path}/${pointer(key)}`);
      requireKeepable(item, `${path}/${pointer(key)}`, depth + 1);
    }
  }
}

/** PostgreSQL text holds neither NUL nor half a surrogate pair. */
export function isKeepableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

export const pointer = (key: string): string =>
  key.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');

/** JSON with sorted keys: two bodies that mean the same give the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
