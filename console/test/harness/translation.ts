import type { Locator, Page } from 'playwright-core';
import type { Dictionary, Language, Words } from '../../src/app/language.js';
import { constantTexts } from './untranslated.js';

/*
 * Journeys are written in English. In a window that is in Chinese they look for the Chinese words, so one journey is taken in
 * both languages.
 */

const languages = new WeakMap<Page, Language>();
export const languageOf = (page: Page): Language => languages.get(page) ?? 'en';
export const setLanguageOf = (page: Page, language: Language): void => {
  languages.set(page, language);
};

const constants = new Map<string, string[]>();
for (const [english, chinese] of constantTexts)
  constants.set(english, [...new Set([...(constants.get(english) ?? []), chinese])]);

/** A function that composes a text, in both languages. */
type Composed = Record<Language, (...parts: never[]) => string>;
let composed: Composed[] = [];

/** Reads the functions among the words of the console; before that, only constant texts are known. */
export async function loadTranslations(): Promise<void> {
  if (composed.length > 0) return;
  const files = import.meta.glob<Record<string, unknown>>('../../src/**/*words.ts');
  const modules = await Promise.all(Object.values(files).map((load) => load()));
  composed = modules.flatMap((each) => Object.values(each).filter(isDictionary)).flatMap(functionsOf);
}

const isDictionary = (value: unknown): value is Dictionary<Words> =>
  typeof value === 'object' && value !== null && 'en' in value && 'zh-CN' in value;

function functionsOf(words: Record<Language, Words>): Composed[] {
  return Object.entries(words.en).flatMap(([name, english]) => {
    const chinese = words['zh-CN'][name];
    if (typeof english === 'function' && typeof chinese === 'function')
      return [{ en: english, 'zh-CN': chinese }];
    if (typeof english === 'object' && typeof chinese === 'object')
      return functionsOf({ en: english, 'zh-CN': chinese });
    return [];
  });
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The parts of which the function composed this text, itself translated where they are words; null if it did not. */
function partsOf({ en }: Composed, text: string): string[] | null {
  const marks = Array.from({ length: en.length }, (_, i) => `§${i}§`);
  const compose = (parts: string[]): string => String(en(...(parts as never[])));
  try {
    const sample = compose(marks);
    // A function that only puts parts beside each other would match any text.
    if (marks.length === 0 || sample.replaceAll(/§\d§/g, '').trim() === '') return null;
    const pattern = escaped(sample).replaceAll(/§\d§/g, '(.+?)');
    const order = [...sample.matchAll(/§(\d)§/g)].map(([, i]) => Number(i));
    const found = new RegExp(`^${pattern}$`, 's').exec(text)?.slice(1);
    const parts = found && marks.map((_, i) => found[order.indexOf(i)] ?? '');
    if (parts && compose(parts) === text) return parts;
    // One of something reads otherwise than many.
    const numbers = text.match(/\d+/g)?.slice(0, en.length) ?? [];
    return numbers.length === en.length && compose(numbers) === text ? numbers : null;
  } catch {
    return null;
  }
}

function inChinese(text: string): string[] {
  const same = constants.get(text);
  if (same) return same;
  const made = composed.flatMap((each) => {
    const parts = partsOf(each, text)?.map((part) => constants.get(part)?.[0] ?? part);
    return parts ? [each['zh-CN'](...(parts as never[]))] : [];
  });
  return [...new Set(made)];
}

/** The text as the window says it; what is no word of the console, such as a name or a number, stays as it is. */
export function wordOf(within: Page | Locator, text: string, { exact = false } = {}): string | RegExp {
  const page = 'page' in within ? within.page() : within;
  if (languageOf(page) === 'en') return text;
  const found = inChinese(text);
  if (found.length === 0) return text;
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  const either = found.map(escaped).join('|');
  return new RegExp(exact ? `^(?:${either})$` : either);
}
