import { expect, it } from 'vitest';
import { copiesMax, millimetresOf, zplUrl } from './label-sizes.js';

it('a size is known or a sheet of paper', () => {
  expect(millimetresOf('50x25')).toEqual({ width: 50, height: 25 });
  expect([millimetresOf('sheet'), millimetresOf('1x1')]).toEqual([null, null]);
});

it('a code with a plus sign and a space reaches the service as it is', () => {
  const url = new URL(zplUrl('+A1 B', '50x25', '203', 2), 'http://x');
  expect(url.search).toContain('code=%2BA1%20B');
  expect(url.searchParams.get('copies')).toBe('2');
});

it('of many labels fewer copies are printed at once, and of each at least one', () => {
  expect([1, 5, 100, 1_000, 5_000].map(copiesMax)).toEqual([200, 200, 10, 1, 1]);
});
