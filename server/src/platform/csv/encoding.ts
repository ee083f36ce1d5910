export type TextEncoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'GB18030';

/** The encoding that a byte order mark announces. */
export function announcedEncoding(start: Uint8Array): TextEncoding | null {
  const [a, b, c] = start;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'UTF-8';
  if (a === 0xff && b === 0xfe) return 'UTF-16LE';
  if (a === 0xfe && b === 0xff) return 'UTF-16BE';
  return null;
}

const REPLACEMENT = '\uFFFD';
const NUL = '\0';

/** Bytes that are no text of the encoding, or text from which something is missing already. */
export class NotThisEncoding extends Error {}

/** Decodes chunk by chunk and never guesses: what is not text of this encoding throws. */
export function strictDecoder(encoding: TextEncoding) {
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
 * Distinguishes Chinese text from Western text. GB18030 gives a meaning to nearly every pair of bytes, so that "Müller" as Windows saves it in
 * Europe would be read as Chinese. The second byte of a Chinese character is rarely an ASCII letter; behind an accented letter it
 * nearly always is.
 */
export function chineseEvidence() {
  let lead = false;
  let pairs = 0;
  let western = 0;
  return {
    note(chunk: Uint8Array): void {
      for (const byte of chunk) {
        if (lead) {
          // A digit continues one of four bytes, which no Western text resembles.
          if (byte >= 0x40 && byte < 0x80) western++;
          pairs++;
          lead = false;
        } else lead = byte > 0x80;
      }
    },
    isConvincing: (): boolean => western * 2 < pairs,
  };
}
