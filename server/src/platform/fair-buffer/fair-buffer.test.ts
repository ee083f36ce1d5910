import { expect, it } from 'vitest';
import { FairBuffer } from './fair-buffer.js';

it('keeps the newest of one owner, and counts what it drops', () => {
  const buffer = new FairBuffer<number>(3);
  for (let i = 1; i <= 5; i++) buffer.add('a', i);
  expect(buffer.take().sort()).toEqual([3, 4, 5]);
  expect(buffer.dropped).toBe(2);
  expect(buffer.take()).toEqual([]);
});

it('a flood of one owner pushes out nothing of the others, before it or after', () => {
  const buffer = new FairBuffer<string>(10);
  buffer.add('before', 'early');
  for (let i = 0; i < 1_000; i++) buffer.add('noisy', `noise ${i}`);
  buffer.add('after', 'late 1');
  buffer.add('after', 'late 2');
  for (let i = 1_000; i < 2_000; i++) buffer.add('noisy', `noise ${i}`);
  const kept = buffer.take();
  expect(kept).toHaveLength(10);
  expect(kept.filter((item) => !item.startsWith('noise'))).toEqual(['early', 'late 1', 'late 2']);
  // The newest ones of the flood are left.
  expect(kept.filter((item) => item.startsWith('noise')).sort()).toEqual(
    Array.from({ length: 7 }, (_, n) => `noise ${1_993 + n}`),
  );
});

it('stays bounded with more owners than places', () => {
  const buffer = new FairBuffer<number>(5);
  for (let i = 0; i < 50; i++) buffer.add(`owner ${i}`, i);
  const kept = buffer.take();
  expect(kept).toHaveLength(5);
  expect(kept).toContain(49);
});

it('has room while it is not full, and then for owners with less than their share', () => {
  const buffer = new FairBuffer<number>(4);
  for (let i = 0; i < 3; i++) buffer.add('noisy', i);
  expect(buffer.hasRoomFor('noisy')).toBe(true);
  buffer.add('quiet', 3);
  expect([buffer.hasRoomFor('noisy'), buffer.hasRoomFor('quiet'), buffer.hasRoomFor('new')]).toEqual([
    false,
    true,
    true,
  ]);
  buffer.take();
  expect(buffer.hasRoomFor('noisy')).toBe(true);
});
