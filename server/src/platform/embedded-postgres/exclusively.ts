import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartRefused } from '../start-refused.js';
import { hasCode } from './explained.js';
import { processInfo } from './process-info.js';

const PATIENCE_MS = 60_000;

/**
 * Runs `work` while no other process does so for the same folder of claims. A claim is a file named after its process (number
 * and start time). It holds if no other living process has a claim after it was created. Names are never reused, so claims
 * of dead processes can be removed without a race.
 */
export async function exclusively<T>(claims: string, work: () => Promise<T>): Promise<T> {
  await mkdir(claims, { mode: 0o700 }).catch((error) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  const self = await processInfo(process.pid);
  const name = `${process.pid}-${self?.started}-${randomBytes(4).toString('hex')}`;
  const claim = join(claims, name);
  const deadline = performance.now() + PATIENCE_MS;
  try {
    for (;;) {
      let rival = await rivalOf(claims, name);
      if (!rival) {
        await writeFile(claim, '', { flag: 'wx', mode: 0o600 });
        rival = await rivalOf(claims, name);
        if (!rival) return await work();
        await rm(claim);
      }
      if (performance.now() > deadline) {
        throw new StartRefused(
          `Process ${rival.split('-')[0]} has been starting or stopping the database of ${claims} for over ` +
            `${PATIENCE_MS / 1000} s: wait for it or end it, then start again`,
        );
      }
      await sleep(randomInt(10, 50));
    }
  } finally {
    await rm(claim, { force: true });
  }
}

async function rivalOf(claims: string, own: string): Promise<string | undefined> {
  for (const name of await readdir(claims)) {
    if (name === own) continue;
    const [pid, started] = name.split('-');
    if ((await processInfo(Number(pid)))?.started === started) return name;
    await rm(join(claims, name), { force: true });
  }
  return undefined;
}
