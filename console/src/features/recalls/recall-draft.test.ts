import { expect, it } from 'vitest';
import { draftOf, stepOf } from './recall-draft.js';

const named = draftOf({ productCode: 'P', batchNo: 'B' });
const whole = { ...named, recallNo: 'RC-1', recallClass: 'I' as const, reason: 'seal' };

it.each([
  ['the first, in a draft of an earlier version', named, 0],
  ['the one that was reached', { ...named, step: 2 }, 2],
  ['the confirmation, with everything given', { ...whole, step: 4 }, 4],
  ['the reason, where it is missing', { ...named, step: 4 }, 3],
  ['the product, where it was taken away', { ...whole, productCode: null, step: 4 }, 0],
])('a draft goes on with the step that needs the person: %s', (_which, draft, step) => {
  expect(stepOf(draft)).toBe(step);
});
