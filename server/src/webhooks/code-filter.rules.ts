import type { Concerns } from '../events/index.js';

const DIMENSIONS = ['customerCodes', 'warehouses', 'productCodes'] as const;
type Dimension = (typeof DIMENSIONS)[number];

/** The codes a webhook is narrowed to, by dimension; null: every code. */
export type CodeFilter = Readonly<Record<Dimension, readonly string[] | null>>;

export const NO_FILTER: CodeFilter = { customerCodes: null, warehouses: null, productCodes: null };

/** A filter as callers write and read it: dimensions that are not narrowed are left out. */
export type NamedCodes = Partial<Record<Dimension, string[] | undefined>>;

export const filterFrom = (named: NamedCodes | null | undefined): CodeFilter => ({
  customerCodes: named?.customerCodes ?? null,
  warehouses: named?.warehouses ?? null,
  productCodes: named?.productCodes ?? null,
});

/** Null: nothing is left out. */
export function namedCodes(filter: CodeFilter): Partial<Record<Dimension, string[]>> | null {
  const named = DIMENSIONS.flatMap((dimension) => {
    const codes = filter[dimension];
    return codes === null ? [] : [[dimension, [...codes]]];
  });
  return named.length === 0 ? null : Object.fromEntries(named);
}

/** Returns the test of an event by the codes it concerns (null: every code): one of each narrowed dimension is enough. */
export function matcherOf(filter: CodeFilter): (concerns: Concerns | null) => boolean {
  const narrowed = DIMENSIONS.flatMap((dimension) => {
    const codes = filter[dimension];
    return codes === null ? [] : [{ dimension, codes: new Set(codes) }];
  });
  return (concerns) =>
    narrowed.every(({ dimension, codes }) => concerns?.[dimension]?.some((code) => codes.has(code)) ?? true);
}
