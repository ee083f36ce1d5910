import { expect, it } from 'vitest';
import { captionLines, columnsOf } from './label.rules.js';

const lines = ['(01)06901234567892', '(10)B-1'];

it('has nothing above the code unless a name is given', () => {
  expect(captionLines(undefined, '2028-11-30', lines)).toEqual([]);
});

it('writes the name in at most two lines that are no longer than those of the code, then the expiry date', () => {
  expect(captionLines('Stent 3.0 mm', '2028-11-30', lines)).toEqual(['Stent 3.0 mm', 'EXP 2028-11-30']);
  expect(captionLines('Absorbable suture, polyglactin 910 USP 5-0 needle 16 mm', null, lines)).toEqual([
    'Absorbable suture,',
    'polyglactin 910 U...',
  ]);
  const chinese = captionLines('可吸收缝合线（聚乳酸羟基乙酸 910）针长 16 mm', null, lines);
  expect(chinese.length).toBe(2);
  for (const line of chinese) expect(columnsOf(line)).toBeLessThanOrEqual(20);
});

it('has no character of a name that begins a command of the printer', () => {
  expect(captionLines('A^XA~B', null, lines)).toEqual(['A XA B']);
});
