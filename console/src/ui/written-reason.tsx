import { useLanguage } from '../app/language.js';

/** Reasons that the service writes itself, always in English; others are shown as people wrote them. */
const WRITTEN: readonly (readonly [RegExp, chinese: string])[] = [
  [/^recall (?=\S+$)/, '召回 '],
  [/^return (?=\S+$)/, '退货 '],
  [/^temperature of (\S+) (\S+) at (.+) \(alert (\S+)\)$/, '$3温度 $1 $2（报警 $4）'],
  [/^temperature of (\S+) to (\S+) (\S+) at (.+) \(alert (\S+)\)$/, '$4温度 $1 至 $2 $3（报警 $5）'],
  [/^humidity of (\S+) (\S+) at (.+) \(alert (\S+)\)$/, '$3湿度 $1 $2（报警 $4）'],
  [/^humidity of (\S+) to (\S+) (\S+) at (.+) \(alert (\S+)\)$/, '$4湿度 $1 至 $2 $3（报警 $5）'],
  [/^opening stock$/, '期初库存'],
  [/^unmatched return (\S+): /, '无销售记录退货 $1：'],
  [/^sandbox trigger$/, '沙箱触发'],
];

/** The Chinese text of a hold's or movement's reason, as far as the service wrote it. */
export function reasonInChinese(reason: string): string {
  const written = WRITTEN.find(([pattern]) => pattern.test(reason));
  return written ? reason.replace(...written) : reason;
}

/** The English text: a reason written by the service begins with a capital, like any other. */
export function reasonInEnglish(reason: string): string {
  const isWritten = WRITTEN.some(([pattern]) => pattern.test(reason));
  return isWritten ? reason.charAt(0).toUpperCase() + reason.slice(1) : reason;
}

/** The reason of a hold or a movement, in the language of the page. */
export const WrittenReason = ({ reason }: { reason: string }) =>
  useLanguage().language === 'zh-CN' ? reasonInChinese(reason) : reasonInEnglish(reason);
