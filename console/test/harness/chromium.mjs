import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import packed from '@sparticuz/chromium';
import { chromium } from 'playwright-core';

const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const version = devDependencies['@sparticuz/chromium'];
/** Named by version and user, so that neither an older one nor another user's is taken. Kept from run to run. */
const cache = process.env.LOTWARD_TEST_CACHE ?? tmpdir();
const place = join(cache, `lotward-chromium-${version}-libs-${process.getuid?.() ?? ''}`);

/** Unpacked once per host. If two processes unpack at once, both use the result of the first. */
async function unpack() {
  if (existsSync(place)) return;
  const before = process.env.TMPDIR;
  const workshop = mkdtempSync(`${place}-`);
  try {
    // The package unpacks where temporary files go, and nowhere else.
    process.env.TMPDIR = workshop;
    await packed.executablePath();
    unpackLibraries(workshop);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  try {
    renameSync(workshop, place);
  } catch (error) {
    rmSync(workshop, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}

/** Libraries that a bare Debian lacks, such as NSS. The package contains them, but unpacks them only on AWS Lambda. */
function unpackLibraries(into) {
  const archive = join(
    dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))),
    '../../bin/al2023.tar.br',
  );
  const tar = spawnSync('tar', ['-x', '-C', into], { input: brotliDecompressSync(readFileSync(archive)) });
  if (tar.status !== 0) throw new Error(`the libraries of Chromium cannot be unpacked: ${tar.stderr}`);
}

/** A real Chromium that came with npm. */
export async function launchChromium() {
  await unpack();
  return chromium.launch({
    executablePath: join(place, 'chromium'),
    env: { ...process.env, LD_LIBRARY_PATH: join(place, 'lib') },
    args: [
      '--headless=shell',
      '--no-sandbox',
      '--font-render-hinting=none',
      '--disable-gpu',
      '--in-process-gpu',
    ],
  });
}
