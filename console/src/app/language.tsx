import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { offerChinese } from '../fonts/chinese.js';

export const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text, or a function that composes one from its arguments. */
type Word = string | ((...parts: never[]) => string);
export interface Words {
  readonly [name: string]: Word | Words;
}
/** The same names with texts of another language: a missing one does not compile. */
type Translated<W> = {
  readonly [K in keyof W]: W[K] extends string ? string : W[K] extends Word ? W[K] : Translated<W[K]>;
};

export type Dictionary<W extends Words> = Readonly<{ en: W; 'zh-CN': Translated<W> }>;

/** The words of one part of the console in all languages, side by side. */
export const dictionary = <const W extends Words>(en: W, chinese: Translated<W>): Dictionary<W> => ({
  en,
  'zh-CN': chinese,
});

const KEPT_AS = 'lotward.language';

function preferred(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  if (LANGUAGES.includes(kept as Language)) return kept as Language;
  return navigator.languages.some((each) => each.startsWith('zh')) ? 'zh-CN' : 'en';
}

interface Choice {
  language: Language;
  choose(language: Language): void;
}
const Chosen = createContext<Choice>({ language: 'en', choose: () => {} });

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferred);
  useEffect(() => {
    document.documentElement.lang = language;
    // The page does not wait for the fonts.
    offerChinese(language === 'zh-CN' ? 'now' : 'when-missing');
  }, [language]);
  const choice = useMemo(
    () => ({
      language,
      choose(next: Language) {
        localStorage.setItem(KEPT_AS, next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <Chosen value={choice}>{children}</Chosen>;
}

export const useLanguage = (): Choice => useContext(Chosen);

export function useWords<W extends Words>(words: Dictionary<W>): Translated<W> {
  return words[useLanguage().language] as Translated<W>;
}
