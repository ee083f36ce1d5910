import { expect, it } from 'vitest';
import { checkTransport } from './transport-check.js';

const none = { temperatureMin: null, temperatureMax: null, humidityMin: null, humidityMax: null };
const cold = { ...none, temperatureMin: 2, temperatureMax: 8 };
const linesOf = (...storages: (typeof none | typeof cold | undefined)[]) =>
  storages.map((storage, n) => ({ lineNo: n + 1, storage }));

it('a transport is called within the conditions only when all of them are known and kept', () => {
  const result = (temperature: number | null, ...storages: Parameters<typeof linesOf>) =>
    checkTransport(temperature, linesOf(...storages)).result;
  expect(result(5, cold, none)).toBe('within');
  expect(result(9, cold, none)).toBe('outside');
  expect(result(9, cold, undefined)).toBe('outside');
  expect(result(5, cold, undefined)).toBe('unknown');
  expect(result(5, none)).toBe('no_conditions');
  expect(result(null, cold)).toBe('not_recorded');
});

it('only the lines whose goods were outside their conditions need a reason', () => {
  expect([...checkTransport(9, linesOf(cold, none, cold)).outside]).toEqual([1, 3]);
  expect(checkTransport(null, linesOf(cold)).outside.size).toBe(0);
});
