import { expect, it } from 'vitest';
import { isOutside, storageText } from './storage-text.js';

const english = {
  dash: ' – ',
  list: (words: readonly string[]) => words.join(', '),
  humidity: 'humidity',
};
const chinese = { dash: '～', list: (words: readonly string[]) => words.join('、'), humidity: '湿度' };
/** Spaces that do not break a line are spaces, too. */
const withSpaces = (text: string | null) => text?.replaceAll('\u00a0', ' ') ?? null;
const none = { temperatureMin: null, temperatureMax: null, humidityMin: null, humidityMax: null };
const cold = { ...none, temperatureMin: 2, temperatureMax: 8 };

it.each([
  [none, null],
  [cold, '2 – 8 °C'],
  [{ ...none, temperatureMax: 25, humidityMax: 70 }, '≤ 25 °C, humidity ≤ 70 %'],
  [{ ...none, humidityMin: 35 }, 'humidity ≥ 35 %'],
])('storage conditions are written with what is on record: %o', (storage, text) => {
  expect(withSpaces(storageText(storage, english))).toBe(text);
});

it('storage conditions are punctuated as the language does', () => {
  expect(withSpaces(storageText({ ...cold, humidityMax: 70 }, chinese))).toBe('2～8 °C、湿度 ≤ 70 %');
});

it('a transport is outside the conditions below the lowest or above the highest temperature, and never where nothing is known', () => {
  expect([1.9, 2, 8, 8.1].map((at) => isOutside(at, cold))).toEqual([true, false, false, true]);
  expect([isOutside(null, cold), isOutside(50, none), isOutside(50, undefined)]).toEqual([
    false,
    false,
    false,
  ]);
});
