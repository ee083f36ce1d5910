import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  gzip,
  gzipSync,
  constants as zlib,
} from 'node:zlib';

export type ContentEncoding = 'br' | 'gzip';

/** Shorter bodies would hardly shrink, and fit into one packet anyway. */
const BYTES_MIN = 1_024;
/** Up to this size, compression takes a fifth of a millisecond, less than handing it to another thread. */
const BYTES_AT_ONCE_MAX = 32 * 1_024;
/**
 * Low levels: the next ones double the time for a tenth of the size. Brotli output is smaller than gzip's at the same cost.
 */
const GZIP_LEVEL = 3;
const BROTLI_QUALITY = 3;

/** The encoding for a body of this size and a caller with this `Accept-Encoding`; null for none. */
export function encodingFor(header: string | string[] | undefined, bytes: number): ContentEncoding | null {
  if (header === undefined || bytes < BYTES_MIN) return null;
  const accepted = weightsOf(String(header));
  const weightOf = (encoding: string) => accepted.get(encoding) ?? accepted.get('*') ?? 0;
  const [br, plain] = [weightOf('br'), weightOf('gzip')];
  if (br === 0 && plain === 0) return null;
  return br >= plain ? 'br' : 'gzip';
}

/** Each named encoding with its weight, 0 to 1: `gzip;q=0.5, br`. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = given === undefined ? 1 : Number(given.slice(2));
    weights.set(name, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
}

const brotliOptions = (bytes: number, quality: number): BrotliOptions => ({
  params: {
    [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
    [zlib.BROTLI_PARAM_QUALITY]: quality,
    [zlib.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

const gzipLater = promisify(gzip);
const brotliLater = promisify(brotliCompress);

/** Large bodies are compressed on another thread, so that no request waits for it. */
export function compress(body: Buffer, encoding: ContentEncoding): Buffer | Promise<Buffer> {
  const options = brotliOptions(body.length, BROTLI_QUALITY);
  if (body.length > BYTES_AT_ONCE_MAX)
    return encoding === 'br' ? brotliLater(body, options) : gzipLater(body, { level: GZIP_LEVEL });
  return encoding === 'br' ? brotliCompressSync(body, options) : gzipSync(body, { level: GZIP_LEVEL });
}

/** For content that is compressed once and sent often. */
export const compressWell = (body: Buffer, encoding: ContentEncoding): Promise<Buffer> =>
  encoding === 'br' ? brotliLater(body, brotliOptions(body.length, 9)) : gzipLater(body, { level: 9 });
