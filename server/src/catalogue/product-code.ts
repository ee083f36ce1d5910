import { canonicalCode } from '@lotward/udi';

/** Brings the product code of a filter into the form in which it is stored. */
export const withCanonicalCode = <F extends { productCode?: string }>(
  filter: F,
): F & { productCode: string | undefined } => ({
  ...filter,
  productCode: filter.productCode === undefined ? undefined : canonicalCode(filter.productCode),
});
