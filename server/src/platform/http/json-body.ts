import { ApiError } from '../errors/index.js';
import { type RequestReason, requestReasons } from './reasons.js';

const DEPTH_MAX = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function invalid(reason: RequestReason, path: string | null = null, message?: string): ApiError {
  return new ApiError('invalid', [{ path, reason, message: message ?? requestReasons[reason].meaning }]);
}

/** Parses a body and refuses values that JSON allows but that cannot be stored exactly. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw invalid('bad_json');
  }
  const hidden = findUnstorable(value, 0);
  if (hidden) throw invalid(hidden.reason, hidden.path);
  return value;
}

interface Unstorable {
  reason: RequestReason;
  path: string;
}

/** The path is built while returning: nearly always nothing is found, and then no path is built. */
function findUnstorable(value: unknown, depth: number): Unstorable | null {
  if (typeof value === 'string') return isStorableText(value) ? null : { reason: 'bad_text', path: '' };
  if (typeof value === 'number') {
    // JSON.parse silently turns 1e400 into Infinity and rounds 2^53+1.
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return isExact ? null : { reason: 'bad_number', path: '' };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth === DEPTH_MAX) return { reason: 'too_deep', path: '' };
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = findUnstorable(value[i], depth + 1);
      if (found) return { ...found, path: `/${i}${found.path}` };
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    const found: Unstorable | null =
      key === '__proto__' || !isStorableText(key)
        ? { reason: 'unknown_field', path: '' }
        : findUnstorable((value as Record<string, unknown>)[key], depth + 1);
    if (found) return { ...found, path: `/${pointer(key)}${found.path}` };
  }
  return null;
}

/** PostgreSQL text can contain neither NUL nor lone surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

export const pointer = (key: string): string =>
  key.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');

/** JSON with sorted keys, so that equivalent bodies give the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
