import { type Static, Type } from 'typebox';
import { KINDS } from '../indexing/index.js';
import { Model, Nullable, OneOf, Strict } from '../platform/http/index.js';
import { RESULTS_MAX, type SearchResult } from './search-records.js';

/** A GS1 Digital Link with all its elements is a scanned code, too. */
const QUERY_LENGTH_MAX = 512;

export const SearchQuery = Strict({
  q: Type.String({
    minLength: 1,
    maxLength: QUERY_LENGTH_MAX,
    description:
      'Any part of a number, name or code, in any case; several words in any order. A single character finds what begins with it. ' +
      'Nothing in it is a wildcard. Or a scanned UDI, whole.',
    examples: ['SO-2026'],
  }),
});

const SearchItemView = Model('SearchItem', {
  kind: OneOf(KINDS),
  id: Type.String({
    description:
      'The id of the order, receipt, dispatch, certificate or webhook; the code of the product or partner; the batch or serial number.',
  }),
  productCode: Nullable(
    Type.String({ description: 'Of a batch or serial number: the product it belongs to.' }),
  ),
  title: Type.String({ description: 'The number or name. Of a dispatch: the number of its order.' }),
  subtitle: Nullable(
    Type.String({ description: 'The customer, supplier or product; of a product or partner its code.' }),
  ),
  status: Nullable(
    Type.String({ description: 'As the record itself shows it; null for batches and serial numbers.' }),
  ),
  matched: Nullable(
    Type.String({
      description:
        'The number or text of the record that has the query in it, such as a registration number, where neither `title` nor `subtitle` has it.',
    }),
  ),
});

export const SearchView = Model('SearchResults', {
  items: Type.Array(SearchItemView, { maxItems: RESULTS_MAX }),
  hasMore: Type.Boolean({ description: 'There are, or may be, more than these: add to the query.' }),
});

export const toSearchItem = (result: SearchResult, query: string): Static<typeof SearchItemView> => {
  const { kind, itemId, productCode, title, subtitle, status, words } = result;
  const sought = plain(query.trim());
  const hasIt = (text: string | null): boolean => text !== null && plain(text).includes(sought);
  const matched = hasIt(title) || hasIt(subtitle) ? null : (words.find(hasIt) ?? null);
  return { kind, id: itemId, productCode, title, subtitle, status, matched };
};

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();
