import type { Product, RISK_CLASSES } from '../catalogue/index.js';

/** Kinds of products that an entry can leave out. */
export const COVERAGE_EXCLUSIONS = ['implantable', 'sterile', 'cold_chain'] as const;
export type CoverageExclusion = (typeof COVERAGE_EXCLUSIONS)[number];

/** A product is within an entry if it meets everything the entry names. What an entry omits restricts nothing. */
export interface CoverageEntry {
  riskClasses?: (typeof RISK_CLASSES)[number][];
  /** Whole categories, or the beginning of categories followed by `*`. */
  categories?: string[];
  excludes?: CoverageExclusion[];
}

/** A certificate covers the products within at least one entry. */
export type Coverage = CoverageEntry[];

/** The fields of a product that decide whether a certificate covers it. */
export interface CoverageTraits
  extends Pick<Product, 'productCode' | 'riskClass' | 'category' | 'sterile' | 'implantable'> {
  temperatureMax: number | null;
}

/** A change of what a certificate covers. */
export interface CoverageChange {
  previousCoverage: Coverage | null;
  currentCoverage: Coverage | null;
  changedAt: Date;
  changedBy: string;
}
