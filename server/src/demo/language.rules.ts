import { CHINESE, CHINESE_SIZES } from './chinese.rules.js';
import type { Family } from './families.rules.js';
import type { Registration } from './registrations.rules.js';

export const DEMO_LANGUAGES = ['en', 'zh'] as const;
export type DemoLanguage = (typeof DEMO_LANGUAGES)[number];

/**
 * Returns a text of the demo in the language of its organization. Only the texts differ between languages; the data is the
 * same.
 */
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
  /** Numbers and issuers in the country's own form. */
  registrationNo(registration: Registration): string;
  registrar(riskClass: Family['riskClass']): string;
  licenceNo(supplierCode: string, year: string, serial: number): string;
  hospitalLicenceNo(place: number): string;
}

const digits = (number: number, length: number) => String(number).padStart(length, '0');

/** Class I is only filed, with the city; II is registered with the province, III with the state. */
const CHINESE_REGISTERS = { I: '沪浦械备', II: '沪械注准', III: '国械注准' } as const;

/** Two digits of the Chinese catalogue of medical devices. It omits reagents, which are registered under 40. */
const CATALOGUE: Readonly<Record<string, string>> = {
  Cardiology: '03',
  'Cardiac rhythm': '12',
  Sutures: '02',
  'General surgery': '02',
  Instruments: '02',
  Protection: '14',
  'Wound care': '14',
  Orthopaedics: '13',
  Reagents: '40',
  'Blood collection': '22',
  'Point of care': '40',
  Infusion: '14',
  Monitoring: '07',
  Emergency: '08',
  Injection: '14',
  Ophthalmology: '16',
};
const PASSIVE_IMPLANTS = '13';
const WITH_IMPLANTS = ['Cardiology', 'General surgery'];

function catalogueOf({ category, implantable }: Family): string {
  if (implantable && WITH_IMPLANTS.includes(category)) return PASSIVE_IMPLANTS;
  return CATALOGUE[category] ?? PASSIVE_IMPLANTS;
}

function chineseRegistrationNo({ family, year, serial }: Registration): string {
  const { riskClass } = family;
  const register = CHINESE_REGISTERS[riskClass];
  if (riskClass === 'I') return `${register}${year}${digits(serial, 4)}`;
  return `${register}${year}${riskClass.length}${catalogueOf(family)}${digits(serial, 4)}`;
}

/** Where each supplier is licensed: the country, and the province and city. */
const LICENSING: Readonly<Record<string, readonly [string, string]>> = {
  'SUP-ALDER': ['NL', '沪浦'],
  'SUP-BRIDGE': ['GB', '苏苏'],
  'SUP-CORVA': ['CH', '京兴'],
  'SUP-DELTA': ['DE', '粤穗'],
  'SUP-ELMIRA': ['FR', '浙杭'],
  'SUP-FJORD': ['NO', '鲁青'],
  'SUP-GRANTA': ['GB', '鄂汉'],
  'SUP-HELIOS': ['ES', '闽厦'],
};

const WORDS: Readonly<Record<DemoLanguage, DemoWords>> = {
  en: {
    organization: 'Demo Medical Supply',
    timeZone: 'UTC',
    currency: 'EUR',
    jurisdiction: 'EU',
    say: asIs,
    size: asIs,
    // Class I has no certificate of a notified body, only the notification to the authority.
    registrationNo: ({ family: { riskClass }, year, serial }) =>
      riskClass === 'I' ? `NL-CA002-${year}-${digits(serial, 5)}` : `MDR 7${digits(31_000 + serial, 5)}`,
    registrar: () => 'Notified Body 0123',
    licenceNo: (supplierCode, year, serial) =>
      `${LICENSING[supplierCode]?.[0]}-MDD-${year}-${digits(serial, 4)}`,
    hospitalLicenceNo: (place) => `HL-${220_010 + 3 * place}`,
  },
  zh: {
    organization: '康桥医疗器械（演示）有限公司',
    timeZone: 'Asia/Shanghai',
    currency: 'CNY',
    jurisdiction: 'CN',
    say: inChinese,
    size: (english) =>
      CHINESE_SIZES.reduce((text, [pattern, chinese]) => text.replace(pattern, chinese), english),
    registrationNo: chineseRegistrationNo,
    registrar: (riskClass) => (riskClass === 'III' ? '国家药品监督管理局' : '上海市药品监督管理局'),
    licenceNo: (supplierCode, year, serial) =>
      `${LICENSING[supplierCode]?.[1]}药监械经营许${year}${digits(serial, 4)}号`,
    hospitalLicenceNo: (place) => `4250${digits(26_013 + 37 * place, 5)}42019911A1001`,
  },
};

export const demoWords = (language: DemoLanguage): DemoWords => WORDS[language];

/** The language in which a demo was begun; a later start completes it in the same one. */
export const languageOf = ({ timeZone }: { timeZone: string }): DemoLanguage =>
  timeZone === WORDS.zh.timeZone ? 'zh' : 'en';
