import { afterEach, expect, it, vi } from 'vitest';
import { FairQueue, type FairQueueLimits, QueueFull, RecentOwners, WaitedTooLong } from './index.js';

afterEach(() => {
  vi.useRealTimers();
});

/** Some are left waiting at the end of a test: they must not be refused in the middle of another file's tests. */
const FOR_EVER_MS = 2 ** 31 - 1;

const open = (limits: Partial<FairQueueLimits> = {}) =>
  new FairQueue({
    atOnce: 2,
    atOncePerOwner: 2,
    waitingMax: 100,
    waitingPerOwnerMax: 100,
    waitMs: FOR_EVER_MS,
    reason: 'overloaded',
    ...limits,
  });

/** In the queue's own words, with what was in the way. */
const refused = (cause: new () => Error) => ({ reason: 'overloaded', cause: expect.any(cause) });

/** Takes a place, notes it, and keeps it until it is to leave. */
function actors(queue: FairQueue) {
  const entered: string[] = [];
  const leaving = new Map<string, () => void>();
  const take = async (owner: string, name = owner) => {
    const release = await queue.acquire(owner);
    entered.push(name);
    leaving.set(name, release);
  };
  const leave = async (name: string) => {
    leaving.get(name)?.();
    // By then the next has entered.
    await new Promise(setImmediate);
  };
  return { entered, take, leave };
}

it('no more are inside than there are places, and each that is left goes to the next', async () => {
  const queue = open();
  const { entered, take, leave } = actors(queue);
  void take('a', 'a1');
  void take('a', 'a2');
  void take('a', 'a3');
  await new Promise(setImmediate);
  expect(entered).toEqual(['a1', 'a2']);
  expect(queue.figures).toEqual({ active: 2, waiting: 1 });
  await leave('a2');
  expect(entered).toEqual(['a1', 'a2', 'a3']);
  for (const name of entered) await leave(name);
  expect(queue.figures).toEqual({ active: 0, waiting: 0 });
});

it('owners take turns, however many wait for one of them', async () => {
  const { entered, take, leave } = actors(open({ atOnce: 1, atOncePerOwner: 1 }));
  for (let n = 0; n < 5; n++) void take('noisy', `noisy ${n}`);
  void take('quiet');
  void take('other');
  await leave('');
  for (let n = 0; n < 7; n++) await leave(entered[n] ?? '');
  expect(entered).toEqual(['noisy 0', 'quiet', 'other', 'noisy 1', 'noisy 2', 'noisy 3', 'noisy 4']);
});

it('an owner never has all places, so that another enters at once', async () => {
  const { entered, take } = actors(open({ atOnce: 3, atOncePerOwner: 2 }));
  for (let n = 0; n < 10; n++) void take('noisy', `noisy ${n}`);
  await take('quiet');
  expect(entered).toEqual(['noisy 0', 'noisy 1', 'quiet']);
});

it('an owner has fewer places while another asks, here or elsewhere, and all of them again when it has not for a while', async () => {
  let nowMs = 0;
  const recent = new RecentOwners(1_000, () => nowMs);
  const limits = { atOnce: 10, atOncePerOwner: 4, besideOthers: { atOncePerOwner: 2, recent } };
  const [queue, elsewhere] = [open(limits), open(limits)];
  const { entered, take, leave } = actors(queue);
  for (let n = 0; n < 8; n++) void take('noisy', `noisy ${n}`);
  await leave('nobody');
  expect(entered).toHaveLength(4);
  await elsewhere.acquire('quiet');
  for (const n of [0, 1]) await leave(`noisy ${n}`);
  expect(entered).toHaveLength(4);
  await leave('noisy 2');
  expect(entered).toHaveLength(5);
  nowMs = 1_001;
  await leave('noisy 3');
  expect(entered).toHaveLength(8);
});

it('beside others, slots that become free are given on after the event loop has read what others sent, otherwise immediately', async () => {
  let nowMs = 0;
  const recent = new RecentOwners(1_000, () => nowMs);
  const queue = open({ besideOthers: { atOncePerOwner: 2, recent } });
  const { entered, take, leave } = actors(queue);
  for (let n = 0; n < 6; n++) void take('noisy', `noisy ${n}`);
  recent.note('quiet');
  await leave('nobody');
  const bothLeave = async (...names: string[]) => {
    for (const name of names) void leave(name);
    await new Promise(process.nextTick);
    return entered.length;
  };
  expect(await bothLeave('noisy 0', 'noisy 1')).toBe(2);
  await leave('nobody');
  expect(entered).toHaveLength(4);
  nowMs = 1_001;
  expect(await bothLeave('noisy 2', 'noisy 3')).toBe(6);
});

it('nobody is refused because of waiting callers whose slots are free and only given on later', async () => {
  const recent = new RecentOwners(1_000, () => 0);
  const queue = open({ atOnce: 3, waitingMax: 2, besideOthers: { atOncePerOwner: 2, recent } });
  const { entered, take, leave } = actors(queue);
  recent.note('quiet');
  for (let n = 0; n < 4; n++) void take('noisy', `noisy ${n}`);
  await leave('nobody');
  void leave('noisy 0');
  await take('quiet');
  expect(entered).toContain('quiet');
  expect(queue.figures).toEqual({ active: 3, waiting: 1 });
});

it('a place that its owner may not have any more goes to another owner', async () => {
  const { entered, take, leave } = actors(open({ atOnce: 2, atOncePerOwner: 1 }));
  void take('a', 'a1');
  void take('b', 'b1');
  void take('a', 'a2');
  void take('b', 'b2');
  await leave('');
  await leave('b1');
  expect(entered).toEqual(['a1', 'b1', 'b2']);
  await leave('a1');
  expect(entered).toEqual(['a1', 'b1', 'b2', 'a2']);
});

it('too many that wait are refused at once: of one owner, and in all', async () => {
  const queue = open({ atOnce: 1, atOncePerOwner: 1, waitingMax: 3, waitingPerOwnerMax: 2 });
  const { take } = actors(queue);
  for (let n = 0; n < 3; n++) void take('noisy');
  await expect(queue.acquire('noisy')).rejects.toMatchObject(refused(QueueFull));
  void take('quiet');
  await expect(queue.acquire('third')).rejects.toMatchObject(refused(QueueFull));
  expect(queue.figures).toEqual({ active: 1, waiting: 3 });
});

it('who waited too long is refused and takes no place later', async () => {
  const queue = open({ atOnce: 1, atOncePerOwner: 1, waitMs: 1 });
  const release = await queue.acquire('a');
  await expect(queue.acquire('b')).rejects.toMatchObject(refused(WaitedTooLong));
  expect(queue.figures).toEqual({ active: 1, waiting: 0 });
  release();
  release();
  expect(queue.figures).toEqual({ active: 0, waiting: 0 });
  await queue.acquire('c');
  expect(queue.figures).toEqual({ active: 1, waiting: 0 });
});

it('who is to rest leaves its place to others at once, and comes again after that time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const queue = open({ atOnce: 1, atOncePerOwner: 1 });
  const { entered, take, leave } = actors(queue);
  const leaveWithRest = await queue.acquire('guesser');
  void take('guesser');
  void take('other');
  leaveWithRest(300);
  await leave('nobody');
  await leave('other');
  vi.advanceTimersByTime(299);
  await leave('nobody');
  expect(entered).toEqual(['other']);
  expect(queue.figures).toEqual({ active: 0, waiting: 1 });
  vi.advanceTimersByTime(1);
  await leave('nobody');
  expect(entered).toEqual(['other', 'guesser']);
});

it('work that fails leaves its place', async () => {
  const queue = open({ atOnce: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.run('b', async () => 'free again')).toBe('free again');
});
