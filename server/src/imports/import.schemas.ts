import { writeCsv } from '@lotward/client/csv';
import { type Static, Type } from 'typebox';
import { Instant, Model, Nullable, OneOf, Strict } from '../platform/http/index.js';
import { columnAt, columnsOf } from './csv-columns.js';
import { CONTENT_BYTES_MAX, IMPORT_STATUSES, type Import, REFUSALS_SHOWN_MAX } from './import.js';
import { IMPORT_KIND_NAMES, kindOf } from './import-kinds.js';
import { IMPORT_FORMATS, type RefusedRow } from './import-rows.js';

export const ImportBody = Strict({
  kind: OneOf(IMPORT_KIND_NAMES),
  format: OneOf(IMPORT_FORMATS, '`ndjson`: a JSON object on each line, with the fields of the API.'),
  content: Type.String({
    minLength: 1,
    maxLength: CONTENT_BYTES_MAX,
    description: 'The file. At most 5 MiB and 50,000 rows.',
  }),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Checks every row and reports what would happen, but writes nothing.' }),
  ),
});

const facts = {
  importId: Type.String(),
  kind: OneOf(IMPORT_KIND_NAMES),
  format: OneOf(IMPORT_FORMATS),
  dryRun: Type.Boolean(),
  status: OneOf(IMPORT_STATUSES),
  stoppedReason: Nullable(Type.String({ description: 'A reason of the error guide, if it was stopped.' })),
  stoppedMessage: Nullable(Type.String()),
  progress: Type.Object({
    rows: Nullable(Type.Integer({ description: 'Null until the file has been read.' })),
    done: Type.Integer({ description: 'Rows accepted or refused.' }),
  }),
  accepted: Type.Integer({ description: 'Rows written; in a dry run those that would be.' }),
  created: Type.Integer({ description: 'Of the accepted rows, those that created a record.' }),
  updated: Type.Integer({ description: 'Of the accepted rows, those that replaced a record.' }),
  refusedCount: Type.Integer({ description: 'Rows refused.' }),
  createdAt: Instant(),
  createdBy: Type.String(),
  updatedAt: Instant(),
  finishedAt: Nullable(Instant()),
};

export const ImportView = Model('Import', facts);

export const ImportReportView = Model('ImportReport', {
  ...facts,
  refused: Type.Array(
    Type.Object({
      line: Type.Integer({ description: 'The line of the file on which the row begins; the first is 1.' }),
      errors: Type.Array(
        Type.Object({
          path: Nullable(Type.String({ description: 'JSON Pointer into the row as a request body.' })),
          reason: Type.String(),
          message: Type.String(),
        }),
      ),
    }),
    {
      description: `The first ${REFUSALS_SHOWN_MAX.toLocaleString('en-US')} refused rows; the CSV report has up to 10,000.`,
    },
  ),
});

const instant = (at: Date): string => at.toISOString();

export function toImportView(found: Import): Static<typeof ImportView> {
  const { rows, created, updated, refusedCount, createdAt, updatedAt, finishedAt, ...rest } = found;
  return {
    ...rest,
    progress: { rows, done: created + updated + refusedCount },
    accepted: created + updated,
    created,
    updated,
    refusedCount,
    createdAt: instant(createdAt),
    updatedAt: instant(updatedAt),
    finishedAt: finishedAt && instant(finishedAt),
  };
}

export const toReportView = (
  found: Import,
  refused: readonly RefusedRow[],
): Static<typeof ImportReportView> => ({
  ...toImportView(found),
  refused: refused.map(({ line, errors }) => ({ line, errors: [...errors] })),
});

/** The refused rows as CSV, a line for each reason. */
export function refusedList({ kind }: Import, refused: readonly RefusedRow[]): string {
  const columns = columnsOf(kindOf(kind).schema);
  return writeCsv([
    ['line', 'column', 'reason', 'message'],
    ...refused.flatMap(({ line, errors }) =>
      errors.map(({ path, reason, message }) => [line, columnAt(columns, path), reason, message]),
    ),
  ]);
}
