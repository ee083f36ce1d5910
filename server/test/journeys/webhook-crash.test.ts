import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fullTier } from '../harness/index.js';
import { CrashWorld, CUSTOMER, type Hook } from './crash-world.js';
import { type StoredEvent, storedAs } from './delivered-events.js';
import { EventWriter } from './event-writer.js';

const TAKEN_OVER_WITHIN_MS = 15_000;

/** The usual run has another process take over under load, in `crash`; this one measures how soon. */
describe.runIf(fullTier)('two workers, one of which dies', () => {
  const world = new CrashWorld();
  beforeAll(async () => {
    await world.open(3);
    await world.requireOther();
  }, 240_000);
  afterAll(() => world.close(), 60_000);

  const writeToAll = async (writer: EventWriter) => {
    const written = world.orgs.map(({ organization }) => writer.write(organization.orgId, 1, CUSTOMER));
    return new Set((await Promise.all(written)).flat().map(({ orderNo }) => orderNo));
  };
  /** When the last of these events arrived for the `times`th time; null while one has not. */
  const lastArrival = (hooks: readonly Hook[], events: readonly StoredEvent[], times: number) => {
    const arrivals = hooks.flatMap((hook) =>
      events.flatMap((event) =>
        event.orgId === hook.orgId ? [world.receiver.at(hook.path).arrived.get(event.eventId)] : [],
      ),
    );
    const came = arrivals.every((arrival) => (arrival?.times ?? 0) >= times);
    return came ? Math.max(...arrivals.map((arrival) => arrival?.lastAtMs ?? 0)) : null;
  };

  it(`the other sends its pending and unfinished pushes within ${TAKEN_OVER_WITHIN_MS / 1000} s`, async () => {
    world.receiver.answerAfterMs = () => 0;
    const writer = new EventWriter(world.database, 'shared');
    const isSubscribed = (hook: Hook) => hook.eventTypes.includes('order.status_changed');
    // All endpoints are leased, about half by each worker: from then on none moves.
    const holdings = await vi.waitFor(
      async () => {
        await writeToAll(writer);
        const found = await world.holdings();
        const counts = [...found.values()].map((hooks) => hooks.length);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(world.hooks.length);
        expect(Math.max(...counts)).toBeLessThanOrEqual(world.hooks.length / 2 + 1);
        return found;
      },
      { timeout: 30_000, interval: 300 },
    );
    const held = (name: string) => holdings.get(name)?.filter(isSubscribed) ?? [];
    const [victim, survivor] = world.workers.toSorted((a, b) => held(b.name).length - held(a.name).length);
    if (!victim || !survivor) throw new Error('there are not two workers');
    const [orphans, others] = [held(victim.name), held(survivor.name)];

    // In flight when the worker dies: they arrived once and were not answered.
    world.receiver.answerAfterMs = (path) => (orphans.some((hook) => hook.path === path) ? 4_500 : 0);
    const begun = await storedAs(world, await writeToAll(writer));
    await vi.waitFor(() => expect(lastArrival(orphans, begun, 1)).not.toBeNull(), 10_000);
    const killedAtMs = performance.now();
    victim.running.child.kill('SIGKILL');
    expect(await victim.running.exit).toEqual({ code: null, signal: 'SIGKILL' });
    world.receiver.answerAfterMs = () => 0;
    const waiting = await storedAs(world, await writeToAll(writer));
    await vi.waitFor(() => expect(lastArrival(others, waiting, 1)).not.toBeNull(), 5_000);
    expect(lastArrival(orphans, waiting, 1), 'invalid run: they were not held').toBeNull();
    const lastAtMs = await vi.waitFor(
      () => {
        const again = lastArrival(orphans, begun, 2);
        const late = lastArrival(orphans, waiting, 1);
        if (again === null || late === null) throw new Error('not taken over yet');
        return Math.max(again, late);
      },
      { timeout: TAKEN_OVER_WITHIN_MS + 10_000, interval: 20 },
    );
    console.log(
      `take-over: ${orphans.length} endpoints of the killed worker had everything ` +
        `${((lastAtMs - killedAtMs) / 1000).toFixed(1)} s after the kill; the other one kept ${others.length}`,
    );
    expect(orphans.length).toBeGreaterThan(0);
    expect(lastAtMs - killedAtMs).toBeLessThan(TAKEN_OVER_WITHIN_MS);
  }, 90_000);
});
