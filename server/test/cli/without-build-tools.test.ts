import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const repository = join(import.meta.dirname, '../../..');
const BUILD_TOOLS = ['typescript', 'rolldown', 'vite'];

it('the command runs where only the packages it needs at run time are installed', () => {
  const place = mkdtempSync(join(tmpdir(), 'lotward-installed-'));
  mkdirSync(join(place, 'node_modules'));
  const installed = readdirSync(join(repository, 'node_modules')).filter(
    (name) => !name.startsWith('.') && !BUILD_TOOLS.includes(name),
  );
  for (const name of installed)
    symlinkSync(join(repository, 'node_modules', name), join(place, 'node_modules', name));
  cpSync(join(repository, 'server/bin'), join(place, 'server/bin'), { recursive: true });
  cpSync(join(repository, 'server/package.json'), join(place, 'server/package.json'));
  cpSync(join(repository, 'server/dist/command'), join(place, 'server/dist/command'), { recursive: true });
  const printed = execFileSync(process.execPath, [join(place, 'server/bin/lotward.mjs'), '--version'], {
    encoding: 'utf8',
  });
  expect(printed).toMatch(/^\d+\.\d+\.\d+\n$/);
});
