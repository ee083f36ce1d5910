import { readUdi } from '@lotward/udi';
import { describe, expect, it } from 'vitest';
import { DENSITIES, LABEL_SIZES, zplData, zplLabel } from './zpl.rules.js';

const FNC1 = '\u001d';
/** The text that a printer encodes, by the rules of `^BX`: `_1` is FNC1, `_dNNN` a character by its number. */
const encoded = (data: string) =>
  data.replace(/_(1|d(\d{3}))/g, (_whole, kind: string, number?: string) =>
    kind === '1' ? FNC1 : String.fromCharCode(Number(number)),
  );

describe('the data of a GS1 DataMatrix', () => {
  it('begins with FNC1 and has FNC1 after a field of variable length that is not the last', () => {
    const data = zplData(`01069012345678921728113010B-1${FNC1}21S1`, 'GS1');
    expect(data).toBe('_101069012345678921728113010B-1_121S1');
    const text = encoded(data);
    expect(text.startsWith(FNC1)).toBe(true);
    const read = readUdi(`]d2${text.slice(1)}`, { today: '2026-11-15' });
    expect(read).toMatchObject({
      ok: true,
      udi: { deviceIdentifier: '06901234567892', batchNo: 'B-1', serialNo: 'S1', expiryDate: '2028-11-30' },
    });
  });

  it('keeps an underscore of the code, also before a digit', () => {
    const data = zplData(`10A_1${FNC1}21_d9`, 'GS1');
    expect(encoded(data)).toBe(`${FNC1}10A_1${FNC1}21_d9`);
  });

  it('is the plain code for HIBC, which has no FNC1', () => {
    expect(zplData('+A123BJC5D6E71G', 'HIBCC')).toBe('+A123BJC5D6E71G');
  });
});

const lines = ['(01)06901234567892', '(17)281130', '(10)B-1'];
const label = (part: object = {}) =>
  zplLabel({
    data: '_10106901234567892',
    modules: 22,
    lines,
    size: '50x25',
    density: 203,
    copies: 1,
    ...part,
  });
const numbers = (zpl: string, command: RegExp) => (command.exec(zpl) ?? []).slice(1).map(Number);

describe('a label of each size and density', () => {
  const cases = LABEL_SIZES.flatMap((size) => DENSITIES.map((density) => [size, density] as const));
  it.each(cases)(
    '%s mm at %i dpi has a module of 0.254 to 0.495 mm and fits with its quiet zone',
    (size, density) => {
      if (size === '30x20') return;
      const zpl = label({ size, density });
      const [x = 0, y = 0, module = 0] = numbers(zpl, /\^FO(\d+),(\d+)\^BXN,(\d+),200,/);
      const mm = (module * 25.4) / density;
      expect(mm).toBeGreaterThanOrEqual(0.253);
      expect(mm).toBeLessThanOrEqual(0.496);
      const [width = 0] = numbers(zpl, /\^PW(\d+)/);
      const [height = 0] = numbers(zpl, /\^LL(\d+)/);
      expect(width).toBe(Math.round((Number(size.split('x')[0]) * density) / 25.4));
      expect(x).toBeGreaterThanOrEqual(module);
      expect(y).toBeGreaterThanOrEqual(module);
      expect(y + 23 * module).toBeLessThanOrEqual(height);
      const texts = [...zpl.matchAll(/\^FO(\d+),(\d+)\^A0N,(\d+),(\d+)\^FD([^^]*)\^FS/g)];
      expect(texts.map(([, , , , , text]) => text)).toEqual(lines);
      for (const [, left, top, high, wide, text = ''] of texts) {
        expect(Number(left)).toBeGreaterThan(x + 23 * module);
        expect(Number(left) + Number(wide) * text.length).toBeLessThanOrEqual(width);
        expect(Number(top) + Number(high)).toBeLessThanOrEqual(height);
      }
    },
  );

  it('is refused where the symbol or its text would be too small to be read', () => {
    expect(() => label({ size: '30x20', modules: 88 })).toThrow('does not fit a label of 30x20 mm');
    expect(() => label({ size: '30x20', lines: [`(21)${'A'.repeat(36)}`] })).toThrow('does not fit');
  });

  it('is printed as often as asked, in a form that begins and ends', () => {
    expect(label({ copies: 12 })).toMatch(/^\^XA\n\^CI28\n.*\^PQ12\n\^XZ\n$/s);
  });
});

describe('captions for people', () => {
  const captions = ['Coronary stent 3.0 mm', 'EXP 2028-11-30'];
  it('stand above the code where the label has room', () => {
    const texts = [...label({ captions }).matchAll(/\^A0N.*\^FD(.*)\^FS/g)].map(([, text]) => text);
    expect(texts).toEqual([...captions, ...lines]);
  });

  it('are left out where the label has none, and where the font of the printer lacks their letters', () => {
    const tall = Array.from({ length: 40 }, (_, n) => `line ${n}`);
    expect(label({ captions: tall })).toBe(label());
    expect(label({ captions: ['冠状动脉支架', 'EXP 2028-11-30'] })).toBe(
      label({ captions: ['EXP 2028-11-30'] }),
    );
  });
});
