import { refuseCertificate } from './certificate.errors.js';
import type { Coverage, CoverageEntry, CoverageExclusion, CoverageTraits } from './coverage.js';

const WILDCARD = '*';

/** Chinese input methods write it. Read as a letter, it would match no category, for no visible reason. */
const FULL_WIDTH_WILDCARD = '＊';

/**
 * The top of the "cold" range of the Chinese Pharmacopoeia, 2 to 10 °C; the 2 to 8 °C of others are within it. The label of a product
 * decides whether it needs the cold chain, and its upper storage limit is what is known of the label.
 */
const COLD_CHAIN_MAX_CELSIUS = 10;

/** Whether a certificate with this coverage covers the product. Null covers everything. */
export const coversProduct = (coverage: Coverage | null, product: CoverageTraits): boolean =>
  coverage === null || coverage.some((entry) => isWithin(entry, product));

/**
 * A product without a risk class or category is outside an entry that names some, because nothing shows that it belongs to
 * them.
 */
function isWithin({ riskClasses, categories, excludes }: CoverageEntry, product: CoverageTraits): boolean {
  const { riskClass, category } = product;
  if (riskClasses && (riskClass === null || !riskClasses.includes(riskClass))) return false;
  if (categories && !categories.some((pattern) => matchesCategory(pattern, category))) return false;
  return !excludes?.some((exclusion) => hasTrait[exclusion](product));
}

function matchesCategory(pattern: string, category: string | null): boolean {
  // Restricts nothing, so a product without a category is within it too.
  if (pattern === WILDCARD) return true;
  if (category === null) return false;
  return pattern.endsWith(WILDCARD) ? category.startsWith(pattern.slice(0, -1)) : category === pattern;
}

const hasTrait: Record<CoverageExclusion, (product: CoverageTraits) => boolean> = {
  implantable: (product) => product.implantable,
  sterile: (product) => product.sterile,
  cold_chain: ({ temperatureMax }) => temperatureMax !== null && temperatureMax <= COLD_CHAIN_MAX_CELSIUS,
};

/** The traits by which the product was judged: `class III, category 6846, implantable`. */
export function traitsText(product: CoverageTraits): string {
  const { riskClass, category } = product;
  return [
    riskClass === null ? 'no risk class' : `class ${riskClass}`,
    category === null ? 'no category' : `category ${category}`,
    ...(hasTrait.implantable(product) ? ['implantable'] : []),
    ...(hasTrait.sterile(product) ? ['sterile'] : []),
    ...(hasTrait.cold_chain(product) ? ['cold chain'] : []),
  ].join(', ');
}

/** Refuses a category with a `*` anywhere but at its end, or with a full-width one. */
export function requireCategoryPatterns(coverage: Coverage | null): void {
  for (const [i, { categories = [] }] of (coverage ?? []).entries())
    for (const [j, pattern] of categories.entries())
      if (pattern.includes(FULL_WIDTH_WILDCARD) || pattern.slice(0, -1).includes(WILDCARD))
        throw refuseCertificate(
          'category_pattern_invalid',
          `/coverage/${i}/categories/${j}`,
          `"${pattern}" has ${pattern.includes(FULL_WIDTH_WILDCARD) ? 'a full-width ＊' : 'a * before its end'}. ` +
            'Write a whole category such as 6846, the beginning of categories such as 02*, or * for all.',
        );
}
