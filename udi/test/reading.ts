import { expect } from 'vitest';
import { type FailureReason, readUdi, type Udi, type UdiFailure } from '../src/index.js';

export const today = '2026-11-15';

/** What the code says; a test that reads a code which cannot be read fails with the reason. */
export function udiOf(code: string, day = today): Udi {
  const reading = readUdi(code, { today: day });
  if (!reading.ok) expect.fail(`${JSON.stringify(code)}: ${JSON.stringify(reading.failure)}`);
  return reading.udi;
}

export function failureOf(code: string): UdiFailure {
  const reading = readUdi(code, { today });
  if (reading.ok) expect.fail(`${JSON.stringify(code)} was read: ${JSON.stringify(reading.udi)}`);
  return reading.failure;
}

export const reasonOf = (code: string): FailureReason => failureOf(code).reason;
