import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const importReasons = {
  unknown_column: {
    kind: 'invalid',
    meaning: 'the header names a column that is not known',
    remedy: 'Rename or remove the column; `message` lists the known ones.',
  },
  duplicate_column: {
    kind: 'invalid',
    meaning: 'the header names a column twice',
    remedy: 'Remove one of the columns.',
  },
  missing_column: {
    kind: 'invalid',
    meaning: 'the header lacks a required column',
    remedy: 'Add the columns that `message` names.',
  },
  no_rows: {
    kind: 'invalid',
    meaning: 'the file has no rows',
    remedy: 'Send a file with a row for each record; CSV has the names of the columns in its first line.',
  },
  unreadable_csv: {
    kind: 'invalid',
    meaning: 'the file is not CSV as RFC 4180 describes',
    remedy: 'Correct the line that `message` names. Often a quotation mark is missing.',
  },
  file_too_long: {
    kind: 'invalid',
    meaning: 'the file has more rows than one import can have',
    remedy: 'Split the file.',
  },
  too_many_imports: {
    kind: 'invalid',
    meaning: 'too many imports of your organization are unfinished',
    remedy: 'Wait until one is done, or cancel one.',
  },
  import_ended: {
    kind: 'invalid',
    meaning: 'the import has already ended',
    remedy: 'No action is needed. Its rows that were accepted stay.',
  },
  duplicate_row: {
    kind: 'invalid',
    meaning: 'an earlier row of the file is about the same record',
    remedy: 'Remove one of the two rows; `message` names both lines.',
  },
  wrong_cell_count: {
    kind: 'invalid',
    meaning: 'the row has more or fewer cells than the header',
    remedy: 'Add or remove cells; a cell that contains the separator must be quoted.',
  },
  shortened_number: {
    kind: 'invalid',
    meaning: 'a spreadsheet rounded this code',
    remedy: 'Format the column as text, enter the code again and save the file.',
  },
  row_failed: {
    kind: 'invalid',
    meaning: 'the database could not store the row',
    remedy: 'Send the row by itself to the API. If that fails too, ask the operator.',
  },
  credential_ended: {
    kind: 'invalid',
    meaning: 'the credential that started the import has ended, or has lost the scope that it needs',
    remedy: 'Send the remaining rows with another credential.',
  },
  import_failed: {
    kind: 'invalid',
    meaning: 'the import failed several times',
    remedy: 'Ask the operator to look at the log of the workers, then send the remaining rows again.',
  },
} as const satisfies Reasons;

export const refuseImport = refusalOf(importReasons);
