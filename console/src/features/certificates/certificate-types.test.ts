import { expect, it } from 'vitest';
import { offeredTypes, typeName } from './certificate-types.js';

it('offers each type once, those in use before the required and the usual ones', () => {
  expect(
    offeredTypes(
      ['registration', 'registration', 'CE'],
      ['CE', ' ', 'business licence'],
      ['registration', 'filing'],
    ),
  ).toEqual(['registration', 'CE', 'business licence', 'filing']);
});

it('shows a type as a name, as far as its letters have capitals', () => {
  expect(['letter of authorization', 'CE', '医疗器械注册证'].map(typeName)).toEqual([
    'Letter of authorization',
    'CE',
    '医疗器械注册证',
  ]);
});
