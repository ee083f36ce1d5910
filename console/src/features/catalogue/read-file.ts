import { type CsvRow, decodeText, readCsv, type TextEncoding } from '@lotward/client/csv';

/** A file as text with its rows for the preview; null if its encoding is unknown. The service validates the rows. */
export interface FileReading {
  encoding: TextEncoding;
  text: string;
  header: string[];
  rows: CsvRow[];
}

export function readFile(bytes: Uint8Array): FileReading | null {
  const decoded = decodeText(bytes);
  if (!decoded) return null;
  const [first, ...rows] = readCsv(decoded.text);
  return { ...decoded, header: first?.cells.map((each) => each.trim()) ?? [], rows };
}
