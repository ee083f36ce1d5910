import { describe, expect, it } from 'vitest';
import { type CoverageEntry, entryText } from './coverage-text.js';
import { coverageWords } from './coverage-words.js';

const full: CoverageEntry = {
  riskClasses: ['II', 'III'],
  categories: ['6846', '02*'],
  excludes: ['implantable', 'cold_chain'],
};

describe('an entry of a coverage in words', () => {
  it.each<[CoverageEntry, string, string]>([
    [
      full,
      'Class II, III; categories 6846, beginning with 02; except implants, cold-chain products',
      '第二类、第三类；分类 6846、02 开头；不含植入类、冷链',
    ],
    [{ riskClasses: ['I'] }, 'Class I', '第一类'],
    [{ categories: ['6846'] }, 'All classes; categories 6846', '全部管理类别；分类 6846'],
    [{ riskClasses: ['I'], categories: ['*', '6846'] }, 'Class I', '第一类'],
    [{ excludes: ['sterile'] }, 'All classes; except sterile products', '全部管理类别；不含无菌'],
    [{ riskClasses: ['III'], excludes: [] }, 'Class III', '第三类'],
  ])('%j', (entry, english, chinese) => {
    expect(entryText(entry, coverageWords.en)).toBe(english);
    expect(entryText(entry, coverageWords['zh-CN'])).toBe(chinese);
  });
});
