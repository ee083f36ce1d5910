import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packed from '@sparticuz/chromium';
import { chromium } from 'playwright-core';

const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const version = devDependencies['@sparticuz/chromium'];
/** By version and by person: neither an older one nor one of somebody else is taken for it. */
const place = join(tmpdir(), `lotward-chromium-${version}-${process.getuid?.() ?? ''}`);

/** Unpacked once on this machine. Of two that unpack at once one comes first, and both use what it made. */
async function unpacked() {
  if (existsSync(place)) return join(place, 'chromium');
  const before = process.env.TMPDIR;
  const workshop = mkdtempSync(`${place}-`);
  try {
    // The package unpacks where temporary files go, and nowhere else.
    process.env.TMPDIR = workshop;
    await packed.executablePath();
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
  return join(place, 'chromium');
}

/** A real Chromium that came with npm. */
export async function launchChromium() {
  return chromium.launch({
    executablePath: await unpacked(),
    args: ['--headless=shell', '--no-sandbox', '--font-render-hinting=none'],
  });
}
