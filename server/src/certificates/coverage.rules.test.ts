import { describe, expect, it } from 'vitest';
import { RISK_CLASSES } from '../catalogue/index.js';
import { COVERAGE_EXCLUSIONS, type Coverage, type CoverageTraits } from './coverage.js';
import { coversProduct, requireCategoryPatterns } from './coverage.rules.js';

/**
 * One licence and one product in each row. A licence covers everything, or the products within at least one of its entries,
 * which are written between slashes: `class` names its risk classes, `in` its categories (`02*`: all that begin with 02),
 * `not` what it leaves out. A product has a `class`, is `in` a category, `is` implantable or sterile, and may be kept at `up to`
 * so many degrees Celsius; what is not written is not known or not so.
 */
const CASES = `
licence                                       | product                          | covered | because
everything                                    | class III in 6846 is implantable | yes     | a licence without a coverage covers every product
everything                                    | class I                          | yes     | also one without a category
everything                                    |                                  | yes     | also one of which nothing is known
class II                                      | class II                         | yes     | the class is named
class II                                      | class III                        | no      | the class is not named
class II                                      | class I                          | no      | a higher class does not include a lower one
class I II                                    | class III in 6846                | no      | neither of the two classes
class I II                                    | class I in 6815                  | yes     | one of two classes is enough
class I II III                                | class III                        | yes     | all classes are named
class I II III                                | in 6846                          | no      | the product has no class, so it is shown to be in none of them
class II                                      | class II in 6846 is implantable  | yes     | nothing else is restricted
in 6846                                       | class III in 6846                | yes     | the category is named, and any class will do
in 6846                                       | in 6846                          | yes     | a product without a class is within an entry that names none
in 6846                                       | class III in 6877                | no      | another category
in 6846                                       | class III in 6846-1              | no      | a whole category is meant, not a beginning
in 6846                                       | class III in 684                 | no      | only a part of the category
in 6846                                       | class III                        | no      | the product has no category, so it is shown to be in none of them
in 02*                                        | class II in 0213                 | yes     | begins with 02
in 02*                                        | class II in 02                   | yes     | is the beginning itself
in 02*                                        | class II in 20                   | no      | begins otherwise
in 02*                                        | class II in 1202                 | no      | has 02, but not at its beginning
in 02*                                        | class II                         | no      | the product has no category
in *                                          | class II in 1202                 | yes     | an asterisk alone is every category
in *                                          | class II                         | yes     | and restricts nothing, so no category is needed
in 6821 6846 6877                             | class III in 6877                | yes     | one of several categories
in 6821 68*                                   | class III in 6840                | yes     | a whole category does not narrow the beginning beside it
in Reagents                                   | class II in Reagents             | yes     | categories may be words
in Reagents                                   | class II in reagents             | no      | written otherwise, it is another category
class II III in 6846 02*                      | class III in 6846                | yes     | class and category are both named
class II III in 6846 02*                      | class II in 0207                 | yes     | class and category are both named
class II III in 6846 02*                      | class I in 6846                  | no      | the category is named, the class is not
class II III in 6846 02*                      | class III in 6877                | no      | the class is named, the category is not
class I II in *                               | class III in 6846                | no      | every category, but only of two classes
not implantable                               | class III in 6846 is implantable | no      | implants are left out
not implantable                               | class III in 6846 is sterile     | yes     | only implants are left out
not sterile                                   | class II is sterile              | no      | sterile products are left out
not sterile                                   | class II                         | yes     | the product is not sterile
not cold_chain                                | class II in 6840 up to 8         | no      | kept at 8 °C at most, it needs the cold chain
not cold_chain                                | class II in 6840 up to 10        | no      | 10 °C is still refrigerated
not cold_chain                                | class II in 6840 up to 10.5      | yes     | may be warmer than 10 °C
not cold_chain                                | class II in 6840 up to 25        | yes     | kept at room temperature
not cold_chain                                | class III in 6840 up to -15      | no      | frozen
not cold_chain                                | class II in 6840 up to 0         | no      | zero is a limit, not the lack of one
not cold_chain                                | class II in 6840                 | yes     | without an upper limit nothing says that it has to be cold
not implantable sterile                       | class III is sterile             | no      | one of two exclusions is enough
not implantable sterile cold_chain            | class I up to 30                 | yes     | none of the three
class III in 6846 not implantable             | class III in 6846                | yes     | all three conditions hold
class III in 6846 not implantable             | class III in 6846 is implantable | no      | class and category are named, but implants are left out
class II / class III in 6846                  | class III in 6846                | yes     | outside the first entry, within the second
class II / class III in 6846                  | class III in 6877                | no      | within neither entry
class II / class III in 6846                  | class II in 6877                 | yes     | within the first entry, which names no category
class II in 6840 / class III in 6846          | class II in 6846                 | no      | entries are not mixed: the class of one, the category of the other
class III not implantable / class III in 6846 | class III in 6846 is implantable | yes     | an exclusion holds for its own entry only
class III not implantable / class III in 6846 | class III in 6877 is implantable | no      | left out by one, outside the other
class II not cold_chain / in Reagents         | class II in Reagents up to 8     | yes     | the second entry takes what the first leaves out
class II not cold_chain / in Reagents         | class II in Vaccines up to 8     | no      | cold, and not of the second entry
`;

/** The words after each of the marks. */
const partsOf = (text: string): Record<string, string[]> =>
  Object.fromEntries(
    text
      .replace('up to', 'until')
      .split(/\s+(?=(?:class|in|not|is|until)\s)/)
      .map((part) => {
        const [mark = '', ...words] = part.trim().split(/\s+/);
        return [mark, words];
      }),
  );

const coverageOf = (text: string): Coverage | null =>
  text === 'everything'
    ? null
    : text.split('/').map((entry) => {
        const words = partsOf(` ${entry}`);
        return {
          ...(words.class && { riskClasses: RISK_CLASSES.filter((each) => words.class?.includes(each)) }),
          ...(words.in && { categories: words.in }),
          ...(words.not && { excludes: COVERAGE_EXCLUSIONS.filter((each) => words.not?.includes(each)) }),
        };
      });

function productOf(text: string): CoverageTraits {
  const words = partsOf(` ${text}`);
  return {
    productCode: 'P',
    riskClass: RISK_CLASSES.find((each) => each === words.class?.[0]) ?? null,
    category: words.in?.[0] ?? null,
    implantable: words.is?.includes('implantable') ?? false,
    sterile: words.is?.includes('sterile') ?? false,
    temperatureMax: words.until ? Number(words.until[0]) : null,
  };
}

const rows = CASES.trim()
  .split('\n')
  .slice(1)
  .map((row) => row.split('|').map((cell) => cell.trim()) as [string, string, string, string]);

describe('a licence and a product', () => {
  it('are read from the table as they are written', () => {
    expect(rows.length).toBeGreaterThanOrEqual(40);
    expect(new Set(rows.map(([licence, product]) => `${licence}|${product}`)).size).toBe(rows.length);
    expect(coverageOf('class II III in 6846 02* not implantable sterile / in *')).toEqual([
      { riskClasses: ['II', 'III'], categories: ['6846', '02*'], excludes: ['implantable', 'sterile'] },
      { categories: ['*'] },
    ]);
    expect(productOf('class III in 6846 is implantable sterile up to -15')).toEqual({
      ...{ productCode: 'P', riskClass: 'III', category: '6846', implantable: true, sterile: true },
      temperatureMax: -15,
    });
    expect(productOf('')).toMatchObject({ riskClass: null, category: null, sterile: false });
  });

  it.each(rows)('%s | %s: %s, %s', (licence, product, covered) => {
    expect(coversProduct(coverageOf(licence), productOf(product)) ? 'yes' : 'no').toBe(covered);
  });
});

describe('a category of a coverage', () => {
  it.each(['6846', '02*', '*', '无源植入器械', 'a.b*'])('may be %s', (category) => {
    expect(() => requireCategoryPatterns([{ categories: [category] }])).not.toThrow();
  });

  it.each(['6*46', '**', '*46', '02**'])('cannot have an asterisk before its end: %s', (category) => {
    expect(() => requireCategoryPatterns([{}, { categories: ['6846', category] }])).toThrow(category);
  });
});
