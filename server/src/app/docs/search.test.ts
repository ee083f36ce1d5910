import { expect, it } from 'vitest';
import { renderMarkdown } from './markdown.js';
import { findSections, searchHtml, sectionsOf } from './search.js';

const page = (href: string, text: string) =>
  sectionsOf(
    renderMarkdown(text, () => null),
    href,
  );
const sections = [
  ...page(
    '/docs/webhooks',
    '# Webhooks\n\nPushes.\n\n## Verify a signature\n\nUse the `secret` & compare.\n',
  ),
  ...page('/docs/holds', '# Holds\n\nA signature is not needed to release.\n'),
];
const found = (query: string) => findSections(sections, query).map(({ href }) => href);

it('finds the sections that have all words, those with the words in their heading first', () => {
  expect(found('signature')).toEqual(['/docs/webhooks#verify-a-signature', '/docs/holds']);
  expect(found('SECRET  signature')).toEqual(['/docs/webhooks#verify-a-signature']);
  expect(found('webhooks')).toEqual(['/docs/webhooks', '/docs/webhooks#verify-a-signature']);
  expect([found('nowhere'), found('  ')]).toEqual([[], []]);
});

it('finds English pages by the Chinese terms of the console', () => {
  expect(found('签名')).toEqual(found('signature'));
  expect(found('验证签名')).toEqual(['/docs/webhooks#verify-a-signature']);
  expect(found('解除冻结')).toEqual(found('release hold'));
  expect(found('没有的词')).toEqual([]);
});

it('shows what was asked and found as text only', () => {
  const html = searchHtml('<b>', findSections(page('/docs/x', '# X\n\nWrite `<b>` here.\n'), '<b>'));
  expect(html).toContain('&lt;b&gt;');
  expect(html).not.toContain('<b>');
});
