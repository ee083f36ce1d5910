import type { Concerns } from '../events/index.js';

const DIMENSIONS = ['customerCodes', 'warehouses', 'productCodes'] as const;
type Dimension = (typeof DIMENSIONS)[number];

/** The codes a webhook is narrowed to, by dimension; null: every code. */
export type CodeFilter = Readonly<Record<Dimension, readonly string[] | null>>;

export const NO_FILTER: CodeFilter = { customerCodes: null, warehouses: null, productCodes: null };

/** A filter as callers write and read it: omits dimensions that are not narrowed. */
export type NamedCodes = Partial<Record<Dimension, string[] | undefined>>;

export const filterFrom = (named: NamedCodes | null | undefined): CodeFilter => ({
  customerCodes: named?.customerCodes ?? null,
  warehouses: named?.warehouses ?? null,
  productCodes: named?.productCodes ?? null,
});

/** Null if nothing is narrowed. */
export function namedCodes(filter: CodeFilter): Partial<Record<Dimension, string[]>> | null {
  const named = DIMENSIONS.flatMap((dimension) => {
    const codes = filter[dimension];
    return codes === null ? [] : [[dimension, [...codes]]];
  });
  return named.length === 0 ? null : Object.fromEntries(named);
}

/** Returns a test of an event's codes (null: every code). In each narrowed dimension, one matching code is enough. */
export function matcherOf(filter: CodeFilter): (concerns: Concerns | null) => boolean {
  const narrowed = DIMENSIONS.flatMap((dimension) => {
    const codes = filter[dimension];
    return codes === null ? [] : [{ dimension, codes: new Set(codes) }];
  });
  return (concerns) =>
    narrowed.every(({ dimension, codes }) => concerns?.[dimension]?.some((code) => codes.has(code)) ?? true);
}
