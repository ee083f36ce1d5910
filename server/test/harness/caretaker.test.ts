import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const caretaker = fileURLToPath(new URL('./caretaker.mjs', import.meta.url));
const FOREVER = 'setInterval(() => {}, 1_000)';

it('a run that is killed leaves neither its processes nor its folder, and no other process is ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotward-caretaker-'));
  writeFileSync(join(folder, 'left.txt'), 'left');
  const inFolder = spawn(process.execPath, ['-e', FOREVER], { env: { LOTWARD_DATA_DIR: `${folder}/data` } });
  const elsewhere = spawn(process.execPath, ['-e', FOREVER], { env: {} });
  const ended = once(inFolder, 'exit');
  // A run that does nothing but own the caretaker's input, as the real one does.
  const program = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([caretaker, folder])}, {
    stdio: ['pipe', 'ignore', 'ignore'], detached: true }).on('spawn', () => console.log('ready')); ${FOREVER}`;
  const run = spawn(process.execPath, ['-e', program], { env: {} });
  await once(run.stdout, 'data');
  expect([inFolder.exitCode, existsSync(folder)]).toEqual([null, true]);
  run.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  await expect.poll(() => existsSync(folder)).toBe(false);
  expect([elsewhere.exitCode, elsewhere.signalCode]).toEqual([null, null]);
  elsewhere.kill('SIGKILL');
});
