export { columnAt, columnsOf } from './columns.rules.js';
export { type CsvRow, parseCsv } from './csv-rows.js';
export { importReasons } from './import.errors.js';
export { importRoutes } from './import.routes.js';
export { IMPORT_KINDS, type ImportKind } from './import-kinds.js';
export { type ImportRow, type RefusedRow, type RowToWrite, readCsvRows } from './import-rows.js';
export { removeOldImports } from './remove-old-imports.js';
export { runImports } from './run-imports.js';
export { type Written, writeRows } from './write-rows.js';
