import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fullTier } from '../harness/index.js';
import { Ground, isHarmless, type Measured } from './attack.js';
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
const report = process.env.LOTWARD_REPORT;

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

  it.each(attacks)('$name', async (attack) => {
    const found = await ground.measure(attack);
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
