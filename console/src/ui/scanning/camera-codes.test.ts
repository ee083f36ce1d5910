import { describe, expect, it } from 'vitest';
import { SeenCodes, withoutLeadingSeparator } from './camera-codes.js';

describe('codes before a camera', () => {
  it('count once for as long as they stay in the picture', () => {
    const seen = new SeenCodes();
    expect(seen.fresh(['A', 'A'], 0)).toEqual(['A']);
    for (let nowMs = 200; nowMs <= 5_000; nowMs += 200) expect(seen.fresh(['A'], nowMs)).toEqual([]);
  });

  it('count again after they have been away, and not because a picture or two was blurred', () => {
    const seen = new SeenCodes();
    seen.fresh(['A'], 0);
    expect(seen.fresh([], 400)).toEqual([]);
    expect(seen.fresh(['A', 'B'], 800)).toEqual(['B']);
    expect(seen.fresh(['A'], 2_100)).toEqual(['A']);
  });

  it('are as a scanner sends them', () => {
    expect(withoutLeadingSeparator('\u001d0106901234567892')).toBe('0106901234567892');
    expect(withoutLeadingSeparator('01069012345678921\u001d21A')).toBe('01069012345678921\u001d21A');
  });
});
