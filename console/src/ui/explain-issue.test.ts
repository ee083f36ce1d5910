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

  it('names the right that is missing, and who can give it', () => {
    const missing = issue('scope_missing', 'needs orders:approve');
    expect(explainIssue(missing, 'en')).toMatch(/“.+” \(orders:approve\), which an administrator/);
    expect(explainIssue(missing, 'zh-CN')).toContain('“审核通过和驳回订单”（orders:approve），请联系管理员');
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

  it('keeps in Chinese whose certificate stands against which product, and why', () => {
    const outside = (message: string) => explainIssue(issue('certificate_does_not_cover', message), 'zh-CN');
    const text = '有效证照的产品范围不涵盖该产品';
    expect(
      outside(
        'supplier SUP-1: distribution licence OL-1 does not cover product 06901234567892 (class III, category 6846, implantable, cold chain)',
      ),
    ).toBe(
      `${text}：供应商 SUP-1 的 distribution licence OL-1，产品 06901234567892（第三类，分类 6846，植入，冷链）。`,
    );
    expect(
      outside('customer H 1: licence A, B, C and 2 more do not cover product P (no risk class, no category)'),
    ).toBe(`${text}：客户 H 1 的 licence A, B, C 等，产品 P（无管理类别，无分类）。`);
    expect(outside('something else')).toBe(`${text}。`);
  });

  it('keeps in Chinese which certificate is not in force, and since when', () => {
    const lacking = (message: string) => explainIssue(issue('certificate_not_in_force', message), 'zh-CN');
    const text = '供应商、产品或客户缺少当前有效的证照';
    expect(lacking('product P: registration R-1 is expired since 2026-11-14')).toBe(
      `${text}：产品 P 的 registration R-1 已过期（2026-11-14）。`,
    );
    expect(lacking('customer H: licence L is not_yet_valid before 2026-12-01')).toBe(
      `${text}：客户 H 的 licence L 尚未生效（2026-12-01）。`,
    );
    expect(lacking('supplier S: licence L is suspended')).toBe(`${text}：供应商 S 的 licence L 已停用。`);
    expect(lacking('supplier S: licence is required and not on record')).toBe(
      `${text}：供应商 S 的 licence 为必备证照，尚未登记。`,
    );
  });
});
