import { expect, it } from 'vitest';
import { isSameView, parseViews } from './views.js';

it('two addresses are the same view in any order and type of their parameters', () => {
  const typed = { q: 1076 } as unknown as { q: string };
  expect(isSameView({ status: 'approved', q: '7' }, { q: '7', status: 'approved' })).toBe(true);
  expect(isSameView(typed, { q: '1076' })).toBe(true);
  expect(isSameView({ q: undefined }, {})).toBe(true);
  expect(isSameView({ q: '7' }, { q: '8' })).toBe(false);
});

it('what is kept and cannot be read is left out', () => {
  const view = { name: 'Late', search: { status: 'approved' } };
  expect(parseViews(JSON.stringify([view, { name: 1 }, null, { name: 'x', search: { q: {} } }]))).toEqual([
    view,
  ]);
  expect(parseViews('{')).toEqual([]);
  expect(parseViews('{}')).toEqual([]);
  expect(parseViews(null)).toEqual([]);
});
