import type { FailureReason, UdiFailure } from '@lotward/udi';
import { type Reasons, type Refusal, refusalOf } from '../platform/errors/index.js';

const because = (meaning: string, remedy: string) => ({ kind: 'invalid', meaning, remedy }) as const;
const RESCAN = 'Scan the label again; if the error persists, the label is wrong.';

/** Why a scanned or typed code cannot be read or written: the reasons of the reader, each with its remedy. */
export const udiReasons = {
  unknown_format: because(
    'the code is of no known format',
    'Send a UDI code of GS1, HIBC, ICCBBA, MA or AHM, exactly as the scanner gives it.',
  ),
  unknown_identifier: because('the code has an identifier or date form that does not exist', RESCAN),
  missing_device_identifier: because(
    'the code does not say which device it is',
    'Scan the code that holds the device identifier too.',
  ),
  bad_check_digit: because('a check digit is wrong: mistyped or misread', RESCAN),
  bad_check_character: because('a check character is wrong: mistyped or misread', RESCAN),
  bad_link_character: because('two HIBC codes do not belong together', 'Scan both codes of one label.'),
  bad_labeler: because('the HIBC labeler code is not possible', RESCAN),
  illegal_date: because('the code holds a day, hour or time that does not exist', RESCAN),
  illegal_character: because(
    'a character does not belong where it stands',
    'Check that the scanner sends the code unchanged, in the right keyboard layout.',
  ),
  illegal_value: because('a value in the code is not possible', RESCAN),
  bad_encoding: because(
    'the Digital Link is not percent-encoded properly',
    'Send the link exactly as the scanner gives it.',
  ),
  too_long: because(
    'a value or the whole code is too long',
    'Check that the scanner sends the separators (U+001D), and one code at a time.',
  ),
  too_short: because('a value or the whole code is too short', RESCAN),
  conflicting_values: because('the code contains two different values for one field', RESCAN),
  forbidden_combination: because('the code holds GS1 identifiers that exclude each other', RESCAN),
  missing_companion: because('a GS1 identifier lacks another one that it needs', RESCAN),
  wrong_order: because(
    'the path of the Digital Link is not in the order that GS1 prescribes',
    'Put the key qualifiers after the primary key in the order 22, 10, 21, and data attributes into the query string.',
  ),
  incomplete_message: because('the ISBT 128 code has another number of parts than it says', RESCAN),
  not_expressible: because(
    'the code cannot be written in this form',
    'Leave out what the form cannot say, or choose another form.',
  ),
} as const satisfies Record<FailureReason, Reasons[string]>;

const refuse = refusalOf(udiReasons);

/** A code that cannot be read, said as a refusal of the place where it stood. */
export const refuseCode = (failure: UdiFailure, path: string): Refusal =>
  refuse(failure.reason, path, failure.message);
