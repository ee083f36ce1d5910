import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fullTier } from '../harness/index.js';

const run = fileURLToPath(new URL('../../../bench/run.mjs', import.meta.url));
const QUESTIONS = ['inventory', 'orders', 'webhooks'];

it.runIf(fullTier)('the benchmark gets right answers to all it asks', { timeout: 1_200_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [run, '--quick', ...QUESTIONS], {
    encoding: 'utf8',
  });
  expect(status, `${stdout.slice(-4_000)}${stderr}`).toBe(0);
});
