import { expect } from 'vitest';
import {
  barriersOn,
  englishOn,
  namelessOn,
  overflowOf,
  takeScreenshot,
  westernPunctuationOn,
} from './inspection.js';
import { languageOf } from './translation.js';
import type { Looks, Visit } from './visit.js';

/** Every two values of language, width and theme meet in one of them; most journeys are in English, light and wide besides. */
export const FOUR_LOOKS: readonly Required<Looks>[] = [
  { language: 'zh-CN', theme: 'dark', width: 390 },
  { language: 'en', theme: 'light', width: 390 },
  { language: 'zh-CN', theme: 'light', width: 1280 },
  { language: 'en', theme: 'dark', width: 1280 },
];

export const nameOfLooks = ({ language, theme, width }: Required<Looks>): string =>
  `${language}.${theme}.${width}`;

/** Nothing on the page as it is now keeps anybody out: no barrier, nothing nameless, untranslated or beyond the screen. */
export async function expectSound(visit: Visit, name: string): Promise<void> {
  const { page } = visit;
  const language = languageOf(page);
  await visit.settle();
  await takeScreenshot(page, `${name}.${language}`);
  expect(
    [
      ...(await barriersOn(page)),
      ...(await namelessOn(page)),
      ...(await overflowOf(page)),
      ...(language === 'en' ? [] : [...(await englishOn(page)), ...(await westernPunctuationOn(page))]),
    ],
    name,
  ).toEqual([]);
}
