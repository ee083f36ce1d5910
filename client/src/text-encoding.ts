/** The encodings in which spreadsheets save text. */
export type TextEncoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'GB18030';

/**
 * The encoding that a byte order mark announces, or null.
 *
 * @param start - The first bytes of a file.
 */
export function announcedEncoding(start: Uint8Array): TextEncoding | null {
  const [a, b, c] = start;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'UTF-8';
  if (a === 0xff && b === 0xfe) return 'UTF-16LE';
  if (a === 0xfe && b === 0xff) return 'UTF-16BE';
  return null;
}

const REPLACEMENT = '\uFFFD';
const NUL = '\0';

/** Bytes that are not text of the encoding, or text that lost characters when it was saved. */
export class NotThisEncoding extends Error {}

/** Decodes a file chunk by chunk and never guesses: bytes that are not text of this encoding throw `NotThisEncoding`. */
export function strictDecoder(encoding: TextEncoding): { next(chunk: Uint8Array): string; end(): string } {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    let text: string;
    try {
      text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new NotThisEncoding(`not ${encoding}`);
    }
    if (text.includes(REPLACEMENT) || text.includes(NUL)) throw new NotThisEncoding('not text');
    return text;
  };
  return { next: decode, end: () => decode() };
}

/**
 * Distinguishes Chinese text from Western text. GB18030 gives a meaning to nearly every pair of bytes, so "Müller" as saved
 * by Windows in Europe would be read as Chinese. The second byte of a Chinese character is rarely an ASCII letter; after an
 * accented letter it nearly always is.
 */
export function chineseEvidence(): { note(chunk: Uint8Array): void; isConvincing(): boolean } {
  let lead = false;
  let pairs = 0;
  let western = 0;
  return {
    note(chunk) {
      for (const byte of chunk) {
        if (lead) {
          // A digit continues one of four bytes, which no Western text resembles.
          if (byte >= 0x40 && byte < 0x80) western++;
          pairs++;
          lead = false;
        } else lead = byte > 0x80;
      }
    },
    isConvincing: () => western * 2 < pairs,
  };
}

/**
 * The text of a file and the encoding it was read as; null where no encoding fits for certain.
 *
 * @param bytes - The whole file.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: TextEncoding } | null {
  const announced = announcedEncoding(bytes);
  for (const encoding of announced ? [announced] : (['UTF-8', 'GB18030'] as const)) {
    const text = decodeWhole(bytes, encoding);
    if (text !== null) return { text, encoding };
  }
  return null;
}

function decodeWhole(bytes: Uint8Array, encoding: TextEncoding): string | null {
  const evidence = chineseEvidence();
  evidence.note(bytes);
  if (encoding === 'GB18030' && !evidence.isConvincing()) return null;
  try {
    const decoder = strictDecoder(encoding);
    return decoder.next(bytes) + decoder.end();
  } catch (error) {
    if (error instanceof NotThisEncoding) return null;
    throw error;
  }
}
