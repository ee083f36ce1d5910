import type { FailureReason, UdiFailure } from '@lotward/udi';
import { type Reasons, type Refusal, refusalOf } from '../platform/errors/index.js';

const because = (meaning: string, remedy: string) => ({ kind: 'invalid', meaning, remedy }) as const;
const RESCAN = 'Scan the label again. If the error remains, the label is wrong.';

/** Reasons why a UDI code cannot be read or written, as `@lotward/udi` defines them, each with its remedy. */
export const udiReasons = {
  unknown_format: because(
    'the code has no known format',
    'Send a UDI code of GS1, HIBC, ICCBBA, MA or AHM, exactly as scanned.',
  ),
  unknown_identifier: because('the code has an identifier or date form that does not exist', RESCAN),
  missing_device_identifier: because(
    'the code contains no device identifier',
    'Also scan the code with the device identifier.',
  ),
  bad_check_digit: because('a check digit is wrong: mistyped or misread', RESCAN),
  bad_check_character: because('a check character is wrong: mistyped or misread', RESCAN),
  bad_link_character: because('the two HIBC codes are of different labels', 'Scan both codes of one label.'),
  bad_labeler: because('the HIBC labeler code is invalid', RESCAN),
  illegal_date: because('the code contains a date or time that does not exist', RESCAN),
  illegal_character: because(
    'the code contains a character that is not allowed at its position',
    'Check that the scanner sends the code unchanged, in the right keyboard layout.',
  ),
  illegal_value: because('a value in the code is invalid', RESCAN),
  bad_encoding: because(
    'the Digital Link is not percent-encoded correctly',
    'Send the link exactly as scanned.',
  ),
  too_long: because(
    'a value or the whole code is too long',
    'Check that the scanner sends the separators (U+001D), and one code at a time.',
  ),
  too_short: because('a value or the whole code is too short', RESCAN),
  conflicting_values: because('the code contains two different values for the same field', RESCAN),
  forbidden_combination: because('the code contains GS1 identifiers that exclude each other', RESCAN),
  missing_companion: because('a GS1 identifier requires another one that is missing', RESCAN),
  wrong_order: because(
    'the path of the Digital Link is not in the order that GS1 prescribes',
    'Put the key qualifiers after the primary key in the order 22, 10, 21, and data attributes into the query string.',
  ),
  incomplete_message: because('the ISBT 128 code does not have the number of parts it declares', RESCAN),
  not_expressible: because(
    'the code cannot be written in this form',
    'Leave out the fields that the form does not support, or choose another form.',
  ),
} as const satisfies Record<FailureReason, Reasons[string]>;

const refuse = refusalOf(udiReasons);

/** The code was read, but does not identify a device. */
export const refuseWithoutDevice = (path: string): Refusal => refuse('missing_device_identifier', path);

/** Refuses a code that cannot be read or written; `path` says where in the request it is. */
export const refuseCode = (failure: UdiFailure, path: string): Refusal =>
  refuse(failure.reason, path, failure.message);
