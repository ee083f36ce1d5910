import { CHINESE, CHINESE_SIZES } from './chinese.rules.js';

export const DEMO_LANGUAGES = ['en', 'zh'] as const;
export type DemoLanguage = (typeof DEMO_LANGUAGES)[number];

/** Gives a text of the demo in the language of its organization. The data is the same in both, the texts are not. */
export type Say = (english: string) => string;

const asIs: Say = (english) => english;
const inChinese: Say = (english) => CHINESE[english] ?? english;

export interface DemoWords {
  organization: string;
  timeZone: string;
  currency: string;
  jurisdiction: string;
  say: Say;
  /** A size of a product, as in `USP 5-0 needle 16 mm`. */
  size: Say;
  /** The number of a registration, made of its year, risk class and serial number as the country writes it. */
  registrationNo(year: number, riskClass: string, serial: number): string;
}

const REGISTRARS: Readonly<Record<string, string>> = { I: '沪械备', II: '沪械注准', III: '国械注准' };

const WORDS: Readonly<Record<DemoLanguage, DemoWords>> = {
  en: {
    organization: 'Demo Medical Supply',
    timeZone: 'UTC',
    currency: 'EUR',
    jurisdiction: 'EU',
    say: asIs,
    size: asIs,
    registrationNo: (year, riskClass, serial) =>
      `REG-${year}-${riskClass.length}${String(serial).padStart(5, '0')}`,
  },
  zh: {
    organization: '康桥医疗器械（演示）有限公司',
    timeZone: 'Asia/Shanghai',
    currency: 'CNY',
    jurisdiction: 'CN',
    say: inChinese,
    size: (english) =>
      CHINESE_SIZES.reduce((text, [pattern, chinese]) => text.replace(pattern, chinese), english),
    registrationNo: (year, riskClass, serial) =>
      `${REGISTRARS[riskClass] ?? ''}${year}${riskClass.length}${String(serial).padStart(6, '0')}`,
  },
};

export const demoWords = (language: DemoLanguage): DemoWords => WORDS[language];

/** The language in which a demo was begun: a start that completes it goes on in the same. */
export const languageOf = ({ timeZone }: { timeZone: string }): DemoLanguage =>
  timeZone === WORDS.zh.timeZone ? 'zh' : 'en';
