import { expect, it } from 'vitest';
import { offeredTypes } from './certificate-types.js';

it('offers each type once, those in use before the required and the usual ones', () => {
  expect(
    offeredTypes(
      ['registration', 'registration', 'CE'],
      ['CE', ' ', 'business licence'],
      ['registration', 'filing'],
    ),
  ).toEqual(['registration', 'CE', 'business licence', 'filing']);
});
