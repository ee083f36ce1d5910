import { useLanguage } from '../app/language.js';

/** Reasons that the service writes itself, always in English; others are shown as a person has written them. */
const WRITTEN: readonly (readonly [RegExp, chinese: string])[] = [
  [/^recall (?=\S+$)/, '召回 '],
  [/^unmatched return (?=\S+: )/, '无销售记录退货 '],
  [/^sandbox trigger$/, '沙盒触发'],
];

/** The reason of a hold or a movement in Chinese, as far as the service wrote it. */
export function reasonInChinese(reason: string): string {
  const written = WRITTEN.find(([pattern]) => pattern.test(reason));
  return written ? reason.replace(...written) : reason;
}

/** The reason of a hold or a movement, in the language of the page. */
export const WrittenReason = ({ reason }: { reason: string }) =>
  useLanguage().language === 'zh-CN' ? reasonInChinese(reason) : reason;
