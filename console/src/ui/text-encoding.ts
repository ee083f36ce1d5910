export type TextEncoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'GB18030';

/** The text of a file and what it was read as; null where it is in no encoding that can be told for certain. */
export function decodeText(bytes: Uint8Array): { text: string; encoding: TextEncoding } | null {
  const announced = announcedEncoding(bytes);
  const candidates: TextEncoding[] = announced ? [announced] : ['UTF-8', 'GB18030'];
  for (const encoding of candidates) {
    const text = decodeStrictly(bytes, encoding);
    if (text !== null) return encoding === 'GB18030' && !looksChinese(bytes) ? null : { text, encoding };
  }
  return null;
}

function announcedEncoding([a, b, c]: Uint8Array): TextEncoding | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'UTF-8';
  if (a === 0xff && b === 0xfe) return 'UTF-16LE';
  if (a === 0xfe && b === 0xff) return 'UTF-16BE';
  return null;
}

/** Null for bytes of another encoding, and for text that lost characters when it was saved. */
function decodeStrictly(bytes: Uint8Array, encoding: TextEncoding): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\uFFFD') || text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/**
 * GB18030 gives a meaning to nearly every pair of bytes, so that "Müller" as Windows saves it in Europe would be read as Chinese. The
 * second byte of a Chinese character is rarely an ASCII letter; behind an accented letter it nearly always is.
 */
function looksChinese(bytes: Uint8Array): boolean {
  let pairs = 0;
  let western = 0;
  for (let i = 0; i < bytes.length; i++) {
    if ((bytes[i] ?? 0) <= 0x80) continue;
    const second = bytes[++i] ?? 0;
    pairs++;
    if (second >= 0x40 && second < 0x80) western++;
  }
  return western * 2 < pairs;
}
