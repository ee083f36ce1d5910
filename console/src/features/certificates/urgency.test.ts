import { expect, it } from 'vitest';
import { urgencyOf } from './urgency.js';

it('grades a certificate by the days it has left, the last of each range included', () => {
  expect([0, 7, 8, 30, 31, 300].map(urgencyOf)).toEqual([
    ...['urgent', 'urgent'],
    ...['soon', 'soon'],
    ...['later', 'later'],
  ]);
});
