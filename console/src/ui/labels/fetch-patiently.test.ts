import { expect, it } from 'vitest';
import { fetchPatiently } from './fetch-patiently.js';

const answering = (...answers: Response[]) => {
  const waits: number[] = [];
  const read = () =>
    fetchPatiently(
      '/label',
      undefined,
      async (seconds) => {
        waits.push(seconds);
      },
      async () => answers.shift() ?? new Response('late', { status: 429 }),
    );
  return { waits, read };
};
const limited = (seconds: string) => new Response('', { status: 429, headers: { 'retry-after': seconds } });

it('waits as long as it is asked to, then goes on', async () => {
  const { waits, read } = answering(limited('7'), limited('2'), new Response('<svg/>'));
  expect(await read()).toBe('<svg/>');
  expect(waits).toEqual([7, 2]);
});

it('does not try again what is refused, and gives up in the end', async () => {
  const refused = answering(new Response('', { status: 400 }));
  await expect(refused.read()).rejects.toThrow('400');
  const never = answering();
  await expect(never.read()).rejects.toThrow('429');
  expect([refused.waits.length, never.waits.length]).toEqual([0, 5]);
});
