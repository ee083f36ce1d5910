import { describe, expect, it } from 'vitest';
import { explainIssue } from './explain-issue.js';

const issue = (reason: string, message: string) => ({ path: null, reason, message });

describe('a failure on a page', () => {
  it('speaks to a person, not to a program', () => {
    expect(explainIssue(issue('credential_missing', 'no credential was sent'), 'en')).toBe(
      'Your session has ended. Sign in to continue.',
    );
    expect(explainIssue(issue('sign_in_refused', 'x'), 'en')).toBe('Wrong e-mail or password.');
  });

  it('is a whole sentence where the service continues one', () => {
    expect(explainIssue(issue('invalid_value', 'must be a date'), 'en')).toBe('Must be a date.');
    expect(explainIssue(issue('not_found', 'Order not found.'), 'en')).toBe('Order not found.');
  });

  it('keeps its facts in Chinese: which product, which warehouse, how many', () => {
    const short = issue('insufficient_stock', 'line 1: 3 of 06901234567892 are missing in WH-1');
    expect(explainIssue(short, 'zh-CN')).toBe('库存不足：第 1 行，产品 06901234567892，仓库 WH-1，缺 3 件。');
    expect(explainIssue(issue('insufficient_stock', 'only 4 in stock'), 'zh-CN')).toBe(
      '库存不足：仅有 4 件。',
    );
    expect(explainIssue(issue('insufficient_stock', 'not enough'), 'zh-CN')).toBe('库存不足。');
  });
});
