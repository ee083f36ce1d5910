import { expect } from 'vitest';
import { type FailureReason, readUdi, type Udi, type UdiFailure } from '../src/index.js';

export const today = '2026-11-15';

/** The content of a code. The test fails with the reason if the code cannot be read. */
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
