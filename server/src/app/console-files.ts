import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { etagOf } from './etag.js';

/** As it is stored beside the file, best first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.txt': 'text/plain; charset=utf-8',
};
const KEPT_BYTES_MAX = 1_048_576;

/** A file of the console in one encoding, known since the start. */
export interface ConsoleFile {
  type: string;
  /** Null: as it is. */
  encoding: Encoding | null;
  etag: string;
  read(): Buffer | Promise<Buffer>;
}

export interface ConsoleFiles {
  /** In the best encoding that is accepted; null: there is no such file. */
  find(path: string, acceptEncoding: string): ConsoleFile | null;
}

/** Where the built console lies: beside the built server, or where it is developed. Null: it was not built. */
export function builtConsole(): string | null {
  const places = ['../console', '../../../console/dist'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return places.find((place) => existsSync(join(place, 'index.html'))) ?? null;
}

/** Reads everything once. What is asked for later is looked up by name: no request makes a path on the disk. */
export function readConsoleFiles(directory: string): ConsoleFiles {
  const files = new Map<string, ConsoleFile>();
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const encoding = encodingOf(entry.name);
    const type = TYPES[extname(encoding === null ? entry.name : file.slice(0, -ENCODINGS[encoding].length))];
    if (!entry.isFile() || type === undefined) continue;
    files.set(`/${relative(directory, file).split(sep).join('/')}`, fileOf(file, type, encoding));
  }
  return {
    find(path, acceptEncoding) {
      const plain = files.get(path);
      if (!plain || plain.encoding !== null) return null;
      for (const encoding of Object.keys(ENCODINGS) as Encoding[]) {
        const smaller = files.get(path + ENCODINGS[encoding]);
        if (smaller && accepts(acceptEncoding, encoding)) return smaller;
      }
      return plain;
    },
  };
}

const encodingOf = (name: string): Encoding | null =>
  (Object.keys(ENCODINGS) as Encoding[]).find((encoding) => name.endsWith(ENCODINGS[encoding])) ?? null;

function fileOf(file: string, type: string, encoding: Encoding | null): ConsoleFile {
  const content = readFileSync(file);
  // Fonts are large and seldom asked for.
  const read = content.length <= KEPT_BYTES_MAX ? () => content : () => readFile(file);
  return { type, encoding, etag: etagOf(content), read };
}

/** `gzip, br;q=0`: named, and not with a quality of nothing. */
function accepts(header: string, encoding: Encoding): boolean {
  return header
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((each) => each.trim()))
    .some(
      ([name, ...parameters]) => name === encoding && !parameters.some((each) => /^q=0(\.0*)?$/.test(each)),
    );
}
