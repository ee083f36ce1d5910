export { openAnnouncer } from './announcer.js';
export { batched } from './batcher.js';
export { bulkRows } from './bulk-rows.js';
export { violatedConstraint } from './errors.js';
export { BY_UPDATE, type Choice, Filter, type ListPage, onlyOf, usualPage } from './filter.js';
export { gathered } from './gatherer.js';
export { readInIndexOrder } from './index-order.js';
export {
  insertInstanceValue,
  lockInstanceValue,
  readInstanceValue,
  updateInstanceValue,
} from './instance-state.js';
export { joinEach } from './join-each.js';
export { countRows, filteredStatement, listRows } from './list-rows.js';
export type { Examination } from './migrate.js';
export { examineAsOwner, migrateAsOwner, openDatabase } from './open.js';
export { batchedByOrganization, batchStatement, queryBatch } from './organization-batch.js';
export { organizationRow, organizationRowIf } from './organization-row.js';
export { Pool } from './pool.js';
export { publishedRows } from './published-rows.js';
export { ROLE_KINDS } from './role.js';
export { composedStatement, rowStatement, type Statement, statement, unnamedStatement } from './statement.js';
export { analyzeGrownTables } from './statistics.js';
export { removeInBatches, type SweepOptions, sweepOrganizations } from './sweep.js';
export { type Database, readBusinessDay, type Tx, transact, transactTogether } from './transact.js';
export { hasSameContent, noteChange } from './version.js';
