import type { Choice, Tx } from '../platform/database/index.js';
import type { Findable } from './grams.rules.js';

export const KINDS = [
  'order',
  'receipt',
  'dispatch',
  'product',
  'batch',
  'serial',
  'partner',
  'certificate',
  'webhook',
] as const;
export type Kind = (typeof KINDS)[number];

/** A record as it is added to the index. */
export interface IndexedRecord extends Findable {
  key: string;
  /** When it was made. */
  at: Date;
}

/** The records of a kind. */
export interface IndexSource {
  kind: Kind;
  /** Omits records that no longer exist. */
  read(tx: Tx, keys: readonly string[]): Promise<IndexedRecord[]>;
  /** The keys after this one, in the order in which records from before marks existed are added; '' for the first. */
  keysAfter(tx: Tx, key: string, limit: number): Promise<string[]>;
}

/** The key of a record that only a pair of codes identifies. */
export const pairKey = (productCode: string, no: string): string => JSON.stringify([productCode, no]);
/**
 * The condition of a list for such keys. A batch or serial number is matched by its number alone, so all codes are combined
 * with all numbers; the codes only make the index usable.
 */
export const pairChoice = (keys: readonly string[] | undefined, code: string, no: string): Choice => {
  const pairs = keys?.map(pairOf);
  const column = (at: 0 | 1) => pairs && [...new Set(pairs.map((pair) => pair[at]))];
  return { [code]: column(0), [no]: column(1) };
};
export const pairOf = (key: string): [productCode: string, no: string] =>
  key === '' ? ['', ''] : (JSON.parse(key) as [string, string]);
