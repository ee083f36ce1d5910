import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { separatorOf } from '@lotward/client/csv';
import { CsvError, type Info, parse } from 'csv-parse';
import { refuseImport } from './import.errors.js';

export interface CsvRow {
  /** The line on which the row begins; 1 is the header. */
  line: number;
  cells: string[];
  /** Bytes of the text read so far. */
  bytes: number;
}

/** Without a limit, an unclosed quote would read the rest of the file into memory. */
const RECORD_LENGTH_MAX = 1_000_000;

/** The rows of a text, header first, a few in memory at a time. Empty lines are left out. Line ends are `\n`. */
export async function* parseCsv(
  text: Iterable<string> | AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    trim: true,
    max_record_size: RECORD_LENGTH_MAX,
  });
  // A failure of either stream reaches the loop below through the parser.
  pipeline(Readable.from(text), parser, () => {});
  try {
    let linesBefore = 0;
    for await (const item of parser) {
      const { record, info } = item as { record: string[]; info: Info };
      const line = linesBefore + 1;
      linesBefore = info.lines;
      if (record.length === 1 && record[0] === '') continue;
      yield { line, cells: record, bytes: info.bytes };
    }
  } catch (error) {
    if (error instanceof CsvError) throw refuseImport('unreadable_csv', '/content', `${error.message}.`);
    throw error;
  }
}

const BYTE_ORDER_MARK = '\uFEFF';
const SLICE_LENGTH = 65_536;

/** The rows of a CSV file that is in memory as a whole. */
export function csvRowsOf(content: string): AsyncGenerator<CsvRow> {
  const text = withoutMark(content).replaceAll('\r\n', '\n');
  return parseCsv(slicesOf(text), separatorOf(text.slice(0, SLICE_LENGTH)));
}

export const withoutMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;

/** Between two slices, the process can answer other requests and serve other organizations. */
async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += SLICE_LENGTH) {
    yield text.slice(at, at + SLICE_LENGTH);
    await setImmediate();
  }
}
