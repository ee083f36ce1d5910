import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fullTier } from '../harness/index.js';
import { type Attack, Ground, isHarmless, type Measured } from './attack.js';
import { floodAttacks } from './flood-attacks.js';
import { recordAttacks } from './record-attacks.js';
import { loadNow, writeReport } from './report.js';
import { requestAttacks } from './request-attacks.js';
import { isOlder } from './service.js';
import { sizeAttacks } from './size-attacks.js';
import { webhookAttacks } from './webhook-attacks.js';

const attacks = [...webhookAttacks, ...requestAttacks, ...recordAttacks, ...floodAttacks, ...sizeAttacks];
const GOODPUT_MIN = 0.8;
const ANSWERED_WITHIN_MS = 2_000;
/** Above this, the figures say more about the host of the virtual machine than about the service. */
const TAKEN_MAX = 0.05;
const TIMES_MAX = 3;
/** One measurement takes a minute or so; on a host that takes most of the processors' time, up to four. */
const MEASUREMENT_MS_MAX = 240_000;
const report = process.env.LOTWARD_REPORT;

/** Measures again where the host took too much. The measurement counts in which it took least, not the one with the best figures. */
async function measureUndisturbed(ground: Ground, attack: Attack): Promise<Measured> {
  const tookMost = ({ taken }: Measured) => Math.max(taken.without, taken.during);
  let found = await ground.measure(attack);
  for (let times = 1; times < TIMES_MAX && tookMost(found) > TAKEN_MAX; times++) {
    const again = await ground.measure(attack);
    if (tookMost(again) < tookMost(found)) found = again;
  }
  return found;
}

describe.runIf(fullTier)('what one organization does harms no other', () => {
  const measured: Measured[] = [];
  const loadBefore = loadNow();
  let ground: Ground;
  beforeAll(async () => {
    ground = await Ground.open();
  });
  afterAll(async () => {
    await ground?.close();
    if (report) writeReport(report, measured, loadBefore);
  });

  it.each(attacks)('$name', { timeout: TIMES_MAX * MEASUREMENT_MS_MAX }, async (attack) => {
    const found = await measureUndisturbed(ground, attack);
    measured.push(found);
    const { rows, done } = found;
    // An older version is measured to see the harm.
    if (isOlder) return;
    expect(rows.filter((row) => !isHarmless(row))).toEqual([]);
    if (!done.overload) return;
    const { capacity, perSecond, p99 } = done.overload;
    expect(perSecond).toBeGreaterThanOrEqual(GOODPUT_MIN * capacity);
    expect(p99).toBeLessThanOrEqual(ANSWERED_WITHIN_MS);
  });
});
