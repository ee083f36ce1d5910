import { canonicalCode } from '@lotward/udi';

/** The filter of a list with its product code in the spelling that is stored. */
export const withCanonicalCode = <F extends { productCode?: string }>(
  filter: F,
): F & { productCode: string | undefined } => ({
  ...filter,
  productCode: filter.productCode === undefined ? undefined : canonicalCode(filter.productCode),
});
