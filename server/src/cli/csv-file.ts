import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  announcedEncoding,
  chineseEvidence,
  NotThisEncoding,
  separatorOf,
  strictDecoder,
  type TextEncoding,
} from '@lotward/client/csv';
import { type CsvRow, parseCsv } from '../imports/index.js';
import { Refusal } from '../platform/errors/index.js';
import { UsageError } from './output.js';

const HEADER_BYTES_MAX = 65_536;

/** The rows of a file, header first, a few in memory at a time, with the share of the file read so far, 0 to 1. */
export async function* readCsv(
  file: string,
  encoding: TextEncoding,
): AsyncGenerator<CsvRow & { share: number }> {
  try {
    const { delimiter, size } = await inspect(file, encoding);
    for await (const row of parseCsv(textOf(file, encoding), delimiter))
      yield { ...row, share: Math.min(1, row.bytes / size) };
  } catch (error) {
    throw asUsageError(file, error);
  }
}

async function inspect(file: string, encoding: TextEncoding): Promise<{ delimiter: string; size: number }> {
  const handle = await open(file);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new UsageError(`${file} is not a file that can be read twice.`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0);
    // The sample may end in the middle of a character; it only serves to find the delimiter.
    const start = new TextDecoder(encoding).decode(buffer.subarray(0, bytesRead));
    return { delimiter: separatorOf(start), size: Math.max(1, stat.size) };
  } finally {
    await handle.close();
  }
}

/**
 * UTF-8 or UTF-16 if a byte order mark announces it, otherwise UTF-8 if it is valid, otherwise GB18030, in which Excel saves
 * CSV files in China.
 */
export async function encodingOf(file: string): Promise<TextEncoding> {
  try {
    const announced = await readStart(file);
    if (announced !== null) return await confirm(file, announced);
    try {
      return await confirm(file, 'UTF-8');
    } catch (error) {
      if (!(error instanceof NotThisEncoding)) throw error;
      return await confirm(file, 'GB18030');
    }
  } catch (error) {
    throw asUsageError(file, error);
  }
}

async function readStart(file: string): Promise<TextEncoding | null> {
  const handle = await open(file);
  try {
    if (!(await handle.stat()).isFile())
      throw new UsageError(`${file} is not a file that can be read twice.`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(3), 0, 3, 0);
    return announcedEncoding(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Reads the whole file first, so that nothing is written of a file whose end cannot be read. */
async function confirm(file: string, encoding: TextEncoding): Promise<TextEncoding> {
  const decoder = strictDecoder(encoding);
  const evidence = chineseEvidence();
  for await (const chunk of createReadStream(file)) {
    decoder.next(chunk as Buffer);
    evidence.note(chunk as Buffer);
  }
  decoder.end();
  if (encoding === 'GB18030' && !evidence.isConvincing()) throw new NotThisEncoding('not Chinese text');
  return encoding;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Text without its byte order mark, and with one kind of line end: the parser counts lines by it. */
async function* textOf(file: string, encoding: TextEncoding): AsyncGenerator<string> {
  const decoder = strictDecoder(encoding);
  let held = '';
  let isStart = true;
  for await (const chunk of createReadStream(file)) {
    let text = held + decoder.next(chunk as Buffer);
    // The decoder removes the mark for Unicode only.
    if (isStart && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    isStart &&= text === '';
    // The other half of a line end may be in the next chunk.
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replaceAll('\r\n', '\n');
  }
  yield held + decoder.end();
}

function asUsageError(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof Refusal) return new UsageError(`${file}: ${error.message}`);
  if (error instanceof NotThisEncoding)
    return new UsageError(
      `${file} is not UTF-8, UTF-16 with a byte order mark, or GB18030 text, or characters were lost when it was saved. ` +
        'In your spreadsheet, save it as "CSV UTF-8" and import that.',
    );
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
    return new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  return error;
}
