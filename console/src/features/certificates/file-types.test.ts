import { describe, expect, it } from 'vitest';
import { fileFault, sizeText } from './file-types.js';

describe('a file is judged before it is sent', () => {
  it.each([
    [{ type: 'application/pdf', size: 10_485_760 }, null],
    [{ type: 'application/pdf', size: 10_485_761 }, 'tooLarge'],
    [{ type: 'image/svg+xml', size: 1 }, 'wrongType'],
    [{ type: '', size: 1 }, 'wrongType'],
  ])('%j: %s', (file, fault) => expect(fileFault(file)).toBe(fault));
});

it('a size is short, and never nothing', () => {
  expect(sizeText(2_345_678, 'en')).toBe('2.3 MB');
  expect(sizeText(640_200, 'en')).toBe('640.2 kB');
  expect(sizeText(1, 'en')).toBe('0.1 kB');
});
