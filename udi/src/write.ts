import { failure, type UdiFailure } from './failure.js';
import { bracketed, digitalLink, scanned } from './gs1/write.js';
import { hibc } from './hibc/write.js';
import { isbt128 } from './isbt128/write.js';
import { readUdi } from './read.js';
import { type IssuingAgency, nothingSaid, type UdiContent } from './udi.js';

export type UdiForm = 'bracketed' | 'scanner' | 'digital-link' | 'hibc' | 'isbt-128';

export interface WriteOptions {
  readonly form: UdiForm;
  /** The current day, YYYY-MM-DD: a year that two digits cannot say today cannot be written with two. */
  readonly today: string;
  /** Where a Digital Link leads; https://id.gs1.org if not given. */
  readonly resolver?: string;
}

/** What to write. Fields left out are as good as null. */
export type UdiDraft = { readonly issuingAgency: IssuingAgency } & Partial<UdiContent>;

export type UdiWriting =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly failure: UdiFailure };

const agencies: Readonly<Record<UdiForm, IssuingAgency>> = {
  bracketed: 'GS1',
  scanner: 'GS1',
  'digital-link': 'GS1',
  hibc: 'HIBCC',
  'isbt-128': 'ICCBBA',
};

const writers: Readonly<Record<UdiForm, (content: UdiContent, resolver: string) => string>> = {
  bracketed,
  scanner: scanned,
  'digital-link': digitalLink,
  hibc,
  'isbt-128': isbt128,
};

const refusal = (message: string): UdiWriting => ({
  ok: false,
  failure: failure('not_expressible', 0, message),
});

const fields = [
  'deviceIdentifier',
  'batchNo',
  'serialNo',
  'manufactureDate',
  'expiryDate',
  'quantity',
] as const satisfies readonly (keyof UdiContent)[];

/** The first thing the two say differently. */
function difference(one: UdiContent, two: UdiContent): string | undefined {
  const names = new Set([...Object.keys(one.other), ...Object.keys(two.other)]);
  return (
    fields.find((field) => one[field] !== two[field]) ??
    [...names].find((name) => one.other[name] !== two.other[name])
  );
}

/**
 * Writes a code in its canonical form. What was written has been read again: it says the same, or it is refused,
 * by the reader's reason or as `not_expressible`.
 */
export function writeUdi(
  draft: UdiDraft,
  { form, today, resolver = 'https://id.gs1.org' }: WriteOptions,
): UdiWriting {
  const content: UdiContent = { ...nothingSaid, ...draft };
  if (content.issuingAgency !== agencies[form])
    return refusal(`${form} is no form of a code of ${content.issuingAgency}`);
  const code = writers[form](content, resolver);
  const reading = readUdi(code, { today });
  if (!reading.ok) return reading;
  const lost = difference(content, reading.udi);
  return lost === undefined
    ? { ok: true, code }
    : refusal(`${lost} does not survive being written as ${form}`);
}
