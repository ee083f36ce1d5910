// Builds the console into dist/ and puts compressed copies beside what is worth compressing: the server sends those.
// `--when-stale` builds only if the sources are newer than the build.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

// A test runner that has it built says `test` here, and people would get what is meant for development.
process.env.NODE_ENV = 'production';

const root = dirname(fileURLToPath(import.meta.url));
const outDir = join(root, 'dist');
const stamp = join(outDir, '.built');
const SOURCES = [
  'index.html',
  'package.json',
  'vite.config.ts',
  'mantine-styles.ts',
  'public',
  'src',
  '../client/src',
  '../udi/src',
];
const COMPRESSED = /\.(js|css|html|svg|json|wasm)$/;
const BYTES_MIN = 1_024;

function changedAfter(path, atMs) {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts?.isDirectory()) return (facts?.mtimeMs ?? 0) > atMs;
  return readdirSync(path, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).mtimeMs > atMs,
  );
}

function isStale() {
  if (!existsSync(stamp)) return true;
  const builtAt = statSync(stamp).mtimeMs;
  return SOURCES.some((source) => changedAfter(join(root, source), builtAt));
}

function compress(directory) {
  for (const name of readdirSync(directory, { recursive: true })) {
    const file = join(directory, String(name));
    if (!COMPRESSED.test(file) || statSync(file).size < BYTES_MIN) continue;
    const bytes = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** Renames, so that a server reading dist/ and a concurrent build never see half of it. */
function putInPlace(made, aside) {
  try {
    renameSync(outDir, aside);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  try {
    renameSync(made, outDir);
  } catch (error) {
    // Somebody else was quicker: theirs is as new.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
}

if (!process.argv.includes('--when-stale') || isStale()) {
  const workshops = join(root, '..', 'node_modules', '.cache');
  mkdirSync(workshops, { recursive: true });
  const workshop = mkdtempSync(join(workshops, 'console-'));
  try {
    // As old as the beginning: a source changed while it was built is newer.
    writeFileSync(join(workshop, '.built'), '');
    const made = join(workshop, 'made');
    await build({ root, build: { outDir: made, emptyOutDir: true }, logLevel: 'error' });
    compress(made);
    renameSync(join(workshop, '.built'), join(made, '.built'));
    putInPlace(made, join(workshop, 'before'));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}
