import { expect, it } from 'vitest';
import { createHook } from './index.js';

it('a hook without a handler fails instead of doing nothing', async () => {
  const hook = createHook<[number]>('area.onChange');
  await expect(hook(1)).rejects.toThrow('area.onChange is not connected');
});

it('a hook waits for its handler and passes its failure on', async () => {
  const hook = createHook<[number]>('area.onChange');
  const seen: number[] = [];
  hook.connect(async (value) => {
    await Promise.resolve();
    seen.push(value);
    if (value === 2) throw new Error('refused');
  });
  await hook(1);
  await expect(hook(2)).rejects.toThrow('refused');
  expect(seen).toEqual([1, 2]);
});

it('connecting again replaces the handler', async () => {
  const hook = createHook<[]>('area.onChange');
  const calls: string[] = [];
  hook.connect(async () => calls.push('first'));
  hook.connect(async () => calls.push('second'));
  await hook();
  expect(calls).toEqual(['second']);
});
