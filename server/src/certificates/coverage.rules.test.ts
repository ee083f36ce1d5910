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
class I II III                                | in 6846                          | no      | the product has no class, so nothing shows that it is in one of them
class II                                      | class II in 6846 is implantable  | yes     | nothing else is restricted
in 6846                                       | class III in 6846                | yes     | the category is named, and any class will do
in 6846                                       | in 6846                          | yes     | a product without a class is within an entry that names none
in 6846                                       | class III in 6877                | no      | another category
in 6846                                       | class III in 6846-1              | no      | a whole category is meant, not a beginning
in 6846                                       | class III in 684                 | no      | only a part of the category
in 6846                                       | class III                        | no      | the product has no category, so nothing shows that it is in one of them
in 02*                                        | class II in 02-13                | yes     | begins with 02
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
class II III in 6846 02*                      | class II in 02-07                | yes     | class and category are both named
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
class II not cold_chain / in Reagents         | class II in Sutures up to 8      | no      | cold, and not of the second entry
class I II in *                               | class II                         | yes     | one of two classes, in every category
class I II in *                               |                                  | no      | nothing shows that it is in one of the classes
in 02*                                        | in 02-13                         | yes     | no class is asked for
class II in 02*                               | in 02-13                         | no      | the category is named, the class is not known
in 02*                                        | class II in 02-13-06             | yes     | every level of the catalogue below 02
in 02-1*                                      | class II in 02-13-06             | yes     | a beginning is one of characters, not of levels
in 13*                                        | class III in 6846                | no      | implants too, but by the catalogue of 2002: both are to be listed
in 6846*                                      | class III in 6846-1              | yes     | with an asterisk, the parts of 6846 too
not implantable sterile cold_chain            |                                  | yes     | nothing says that it is left out
not cold_chain                                | class II up to 20                | yes     | a cool place is not the cold chain
not cold_chain                                | class II up to 15                | yes     | nor is a range of which a part only is cold
in * not implantable                          | class III in 6846 is implantable | no      | every category, but no implants
in 68* not cold_chain                         | class II in 6840 up to 8         | no      | the beginning is named, but the cold chain is left out
class I / class II in 6840 / class III in 6846 | class III in 6846               | yes     | within the third entry
class I / class II in 6840 / class III in 6846 | class II in 6846                | no      | within none of three
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

/** A word that is none of these is a slip in the table, which could make its row pass for another reason. */
function known<T extends string>(names: readonly T[], words: readonly string[]): T[] {
  return words.map((word) => {
    const name = names.find((each) => each === word);
    if (name === undefined) throw new Error(`the table says "${word}"`);
    return name;
  });
}
function onlyOne<T>(words: readonly T[] | undefined): T | null {
  if (words && words.length !== 1) throw new Error(`the table says "${words.join(' ')}" of one product`);
  return words?.[0] ?? null;
}

const coverageOf = (text: string): Coverage | null =>
  text === 'everything'
    ? null
    : text.split('/').map((entry) => {
        const words = partsOf(` ${entry}`);
        known(['class', 'in', 'not', ''], Object.keys(words));
        return {
          ...(words.class && { riskClasses: known(RISK_CLASSES, words.class) }),
          ...(words.in && { categories: words.in }),
          ...(words.not && { excludes: known(COVERAGE_EXCLUSIONS, words.not) }),
        };
      });

function productOf(text: string): CoverageTraits {
  const words = partsOf(` ${text}`);
  known(['class', 'in', 'is', 'until', ''], Object.keys(words));
  const traits = known(['implantable', 'sterile'], words.is ?? []);
  return {
    productCode: 'P',
    riskClass: onlyOne(words.class && known(RISK_CLASSES, words.class)),
    category: onlyOne(words.in),
    implantable: traits.includes('implantable'),
    sterile: traits.includes('sterile'),
    temperatureMax: onlyOne(words.until?.map(Number)),
  };
}

const rows = CASES.trim()
  .split('\n')
  .slice(1)
  .map((row) => row.split('|').map((cell) => cell.trim()) as [string, string, string, string]);

describe('a licence and a product', () => {
  it('are read from the table as they are written', () => {
    expect(rows).toHaveLength(71);
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
    for (const slip of ['class IV', 'not cold', 'clas II']) expect(() => coverageOf(slip), slip).toThrow();
    for (const slip of ['class Ⅲ', 'is steril', 'in 6846 6877', 'not sterile'])
      expect(() => productOf(slip), slip).toThrow();
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

  it.each(['02＊', '＊'])('cannot have a full-width asterisk, which would match nothing: %s', (category) => {
    expect(() => requireCategoryPatterns([{ categories: [category] }])).toThrow('full-width');
  });
});
