import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { UsageError } from './output.js';

export interface CsvRow {
  /** Where it begins; 1 is the header. */
  line: number;
  cells: string[];
  /** How much of the file was read up to here, 0 to 1. */
  share: number;
}

/** A quote that is never closed would otherwise gather the rest of the file in memory. */
const RECORD_LENGTH_MAX = 1_000_000;
const HEADER_BYTES_MAX = 65_536;

/** The rows of a file, header first, a few in memory at a time. Empty lines are left out. */
export async function* readCsv(file: string): AsyncGenerator<CsvRow> {
  try {
    const { delimiter, size } = await inspect(file);
    const parser = parse({
      delimiter,
      info: true,
      relax_column_count: true,
      trim: true,
      max_record_size: RECORD_LENGTH_MAX,
    });
    // A failure of either side reaches the loop below through the parser.
    pipeline(Readable.from(textOf(file)), parser, () => {});
    let linesBefore = 0;
    for await (const item of parser) {
      const { record, info } = item as { record: string[]; info: Info };
      const line = linesBefore + 1;
      linesBefore = info.lines;
      if (record.length === 1 && record[0] === '') continue;
      yield { line, cells: record, share: Math.min(1, info.bytes / size) };
    }
  } catch (error) {
    throw asUsageError(file, error);
  }
}

async function inspect(file: string): Promise<{ delimiter: string; size: number }> {
  const handle = await open(file);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new UsageError(`${file} is not a file that can be read twice.`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0);
    const start = buffer.toString('utf8', 0, bytesRead).replace(/"[^"]*"/g, '');
    const header = start.split(/[\r\n]/, 1)[0] ?? '';
    const count = (mark: string) => header.split(mark).length;
    return { delimiter: count(';') > count(',') ? ';' : ',', size: Math.max(1, stat.size) };
  } finally {
    await handle.close();
  }
}

/** Text without its byte order mark, and with one kind of line end: the parser counts lines by it. */
async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held = '';
  for await (const chunk of createReadStream(file)) {
    const text = held + decoder.decode(chunk as Buffer, { stream: true });
    // The other half of a line end may be in the next chunk.
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replaceAll('\r\n', '\n');
  }
  yield held + decoder.decode();
}

function asUsageError(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof CsvError) return new UsageError(`${file}: ${error.message}.`);
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new UsageError(`${file} is not UTF-8 text; in a spreadsheet save it as "CSV UTF-8".`);
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
    return new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  return error;
}
