export { columnAt, columnsOf } from './csv-columns.js';
export { type CsvRow, parseCsv } from './csv-rows.js';
export { importReasons } from './import.errors.js';
export { importRoutes } from './import.routes.js';
export { IMPORT_KINDS, type ImportKind, type RowToWrite } from './import-kinds.js';
export { type ImportRow, type RefusedRow, readCsvRows } from './import-rows.js';
export { removeOldImports } from './remove-old-imports.js';
export { runImports } from './run-imports.js';
export { type Written, writeRows } from './write-rows.js';
