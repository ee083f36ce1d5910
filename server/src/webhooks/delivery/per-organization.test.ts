import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PerOrganization } from './per-organization.js';

const GAP_MS = 5;
const PER_ITEM_MS = 4;

describe('what is done for organizations', () => {
  let done: string[];
  const doing = (atOnce = 100, count = 1) =>
    new PerOrganization(
      atOnce,
      (items) => Math.max(GAP_MS, items * PER_ITEM_MS),
      async (orgId) => {
        done.push(orgId);
        return count;
      },
      // Stands still with the timers: real time that passes on a busy machine would make a gap shorter.
      () => performance.now(),
    );
  beforeEach(() => {
    done = [];
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is done at once, and all that is asked for within the gap after it together', async () => {
    const each = doing();
    for (let i = 0; i < 10; i++) each.request('org_a');
    expect(done).toEqual(['org_a']);
    await vi.advanceTimersByTimeAsync(GAP_MS);
    expect(done).toEqual(['org_a', 'org_a']);
    await vi.advanceTimersByTimeAsync(10 * GAP_MS);
    expect(done).toHaveLength(2);
    each.request('org_a');
    expect(done).toHaveLength(3);
  });

  it('is done more rarely, the more there was to do', async () => {
    const each = doing(100, 5);
    each.request('org_a');
    await vi.advanceTimersByTimeAsync(0);
    each.request('org_a');
    // Beyond the gap after one item.
    await vi.advanceTimersByTimeAsync(2 * GAP_MS);
    expect(done).toEqual(['org_a']);
    await vi.advanceTimersByTimeAsync(5 * PER_ITEM_MS);
    expect(done).toEqual(['org_a', 'org_a']);
  });

  it('does not wait for the gap of another organization', () => {
    const each = doing();
    for (const orgId of ['org_a', 'org_b', 'org_a']) each.request(orgId);
    expect(done).toEqual(['org_a', 'org_b']);
  });

  it('is known to be wanted until it is done', async () => {
    const each = doing(1);
    each.request('org_a');
    each.request('org_b');
    expect([each.has('org_a'), each.has('org_b'), each.has('org_c')]).toEqual([true, true, false]);
    await vi.advanceTimersByTimeAsync(GAP_MS);
    expect([each.has('org_a'), each.has('org_b')]).toEqual([false, true]);
  });
});
