import type { IndexedRecord, IndexSource } from '../indexing/index.js';
import type { Tx } from '../platform/database/index.js';

/** A record as a search shows it. */
export interface SearchRecord extends IndexedRecord {
  /** The id, code or number that the routes of its kind use. */
  itemId: string;
  title: string;
  subtitle: string | null;
  status: string | null;
  /** The product of a batch or serial number. */
  productCode: string | null;
}

/** The records of a kind, and the scope needed to read them. */
export interface SearchSource extends IndexSource {
  scope: string;
  read(tx: Tx, keys: readonly string[]): Promise<SearchRecord[]>;
}
