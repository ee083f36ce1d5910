import { describe, expect, it } from 'vitest';
import { InFlight } from './in-flight.js';
import { RoundRobin } from './round-robin.js';

const member = (orgId: string, name: string) => ({ orgId, name });

describe('while the endpoints of one organization hang', () => {
  it('its pushes count for it alone, and no longer once they are slow', async () => {
    let room = 0;
    const inFlight = new InFlight(0, () => room++);
    const hanging = [inFlight.start('a'), inFlight.start('a')];
    const other = inFlight.start('b');
    expect([inFlight.activeOf('a'), inFlight.activeOf('b'), inFlight.active]).toEqual([2, 1, 3]);
    inFlight.end(other);
    expect([inFlight.activeOf('a'), inFlight.activeOf('b'), inFlight.active]).toEqual([2, 0, 2]);
    await expect.poll(() => inFlight.active).toBe(0);
    expect([inFlight.activeOf('a'), inFlight.size, room > 0]).toEqual([0, 2, true]);
    for (const ticket of hanging) inFlight.end(ticket);
    expect([inFlight.activeOf('a'), inFlight.active, inFlight.size]).toEqual([0, 0, 0]);
  });

  it('those of others are taken although it has its share, and it keeps its turn', () => {
    const ready = new RoundRobin<ReturnType<typeof member>>();
    for (const each of [member('a', '1'), member('a', '2'), member('b', '1'), member('c', '1')])
      ready.add(each);
    const butA = (orgId: string) => orgId !== 'a';
    expect(ready.next(butA)).toEqual(member('b', '1'));
    expect(ready.next()).toEqual(member('a', '1'));
    expect(ready.next(butA)).toEqual(member('c', '1'));
    expect(ready.next(butA)).toBeNull();
    expect(ready.next()).toEqual(member('a', '2'));
    expect(ready.next()).toBeNull();
  });
});
