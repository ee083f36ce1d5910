import { type Static, type TObject, Type } from 'typebox';
import { withCanonicalCode } from '../catalogue/index.js';
import { findMatches, SUBJECTS_MAX } from '../indexing/index.js';
import { type Database, transact, usualPage } from '../platform/database/index.js';
import {
  AnyOf,
  Code,
  CsvLanguageFilter,
  fileRoute,
  Instant,
  listRoute,
  type Route,
  readRoute,
  SearchText,
  Strict,
  TaskFilter,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { createNonconformity, readNonconformity } from './create-nonconformity.js';
import { NONCONFORMITY_SOURCES, NONCONFORMITY_STATUSES } from './nonconformity.js';
import { listNonconformities } from './nonconformity.store.js';
import { NonconformityBody, NonconformityView, toNonconformityView } from './quality.schemas.js';
import { nonconformityList, readAllPages } from './quality-lists.js';

const tag = 'Quality';
const filters = {
  q: SearchText(
    'the batch or receipt number or of the name or code of the product, the supplier or the customer',
  ),
  status: Type.Optional(AnyOf(NONCONFORMITY_STATUSES)),
  source: Type.Optional(AnyOf(NONCONFORMITY_SOURCES)),
  productCode: Type.Optional(Code('A GTIN in any of its lengths.')),
  batchNo: Type.Optional(Type.String({ maxLength: 64 })),
  warehouse: Type.Optional(Code()),
  since: Type.Optional(Instant('Entered at or after this instant.')),
  until: Type.Optional(Instant('Entered before this instant.')),
  task: TaskFilter(['nonconformities_to_decide']),
};

export const nonconformityRoutes = (database: Database): Route[] => [
  listRoute({
    operationId: 'listNonconformities',
    path: '/v2/quality/nonconformities',
    scope: 'quality:read',
    tag,
    summary: 'List the register of nonconforming goods, newest first',
    filters,
    item: NonconformityView,
    list: 'nonconformities',
    key: (entry) => entry.ncId,
    updatedAt: (entry) => entry.updatedAt,
    isCounted: true,
    view: toNonconformityView,
    readRows: async ({ principal, filter, page }) => {
      const where = await found(database, principal.orgId, filter);
      return transact(database, principal, (tx) => listNonconformities(tx, where, page));
    },
  }),
  readRoute({
    operationId: 'getNonconformity',
    path: '/v2/quality/nonconformities/:ncId',
    scope: 'quality:read',
    tag,
    summary: 'Read an entry of the register',
    params: Strict({ ncId: Text(64) }),
    data: NonconformityView,
    read: async ({ principal, params }) =>
      toNonconformityView(await transact(database, principal, (tx) => readNonconformity(tx, params.ncId))),
  }),
  writeRoute({
    method: 'POST',
    operationId: 'createNonconformity',
    path: '/v2/quality/nonconformities',
    scope: 'quality:write',
    tag,
    summary: 'Enter nonconforming goods in stock into the register',
    description:
      'Puts them on a hold of quality. Goods rejected at acceptance and unmatched returns are entered automatically.',
    body: NonconformityBody,
    data: NonconformityView,
    changes: ({ body }) => body.productCode,
    execute: async (tx, { body }) => toNonconformityView(await createNonconformity(tx, body)),
  }),
  fileRoute({
    operationId: 'exportNonconformities',
    path: '/exports/quality/nonconformities.csv',
    scope: 'quality:read',
    tag,
    summary: 'Download the register of nonconforming goods as CSV',
    mayLag: true,
    query: Strict({ ...filters, language: CsvLanguageFilter }),
    contentType: 'text/csv; charset=utf-8',
    async render({ principal, query: { language, ...query } }, from) {
      const where = await found(database, principal.orgId, query);
      const entries = await readAllPages(
        (after, limit) =>
          transact(from, principal, (tx) => listNonconformities(tx, where, usualPage(after, limit))),
        (entry) => entry.ncId,
      );
      return { body: nonconformityList(entries, language), fileName: 'nonconformities.csv' };
    },
  }),
];

/** The filter of the store: a search text becomes the keys of the matches. */
async function found(database: Database, orgId: string, { q, ...filter }: Static<TObject<typeof filters>>) {
  const matches = await findMatches(
    database,
    orgId,
    q,
    ['product', 'batch', 'receipt', 'partner'],
    SUBJECTS_MAX,
  );
  return { ...withCanonicalCode(filter), matches };
}
