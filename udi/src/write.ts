import { failure, type UdiFailure } from './failure.js';
import { writeBracketed, writeDigitalLink, writeScanned } from './gs1/write.js';
import { writeHibc } from './hibc/write.js';
import { writeIsbt128 } from './isbt128/write.js';
import { readUdi } from './read.js';
import { emptyContent, type IssuingAgency, type UdiContent } from './udi.js';

/** The spelling of a code. The first three are GS1's. */
export type UdiForm = 'bracketed' | 'scanner' | 'digital-link' | 'hibc' | 'isbt-128';

/** Options of {@link writeUdi}. */
export interface WriteOptions {
  /** The spelling to write. */
  readonly form: UdiForm;
  /** The current day, YYYY-MM-DD. It limits which years two digits can express. */
  readonly today: string;
  /** The host of a Digital Link; https://id.gs1.org by default. */
  readonly resolver?: string;
}

/** The content to write. A field you leave out is null. */
export type UdiDraft = { readonly issuingAgency: IssuingAgency } & Partial<UdiContent>;

/** The result of {@link writeUdi}: the code, or why it cannot be written. */
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
  bracketed: writeBracketed,
  scanner: writeScanned,
  'digital-link': writeDigitalLink,
  hibc: writeHibc,
  'isbt-128': writeIsbt128,
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

/** The name of the first field in which the two differ. */
function difference(one: UdiContent, two: UdiContent): string | undefined {
  const names = new Set([...Object.keys(one.other), ...Object.keys(two.other)]);
  return (
    fields.find((field) => one[field] !== two[field]) ??
    [...names].find((name) => one.other[name] !== two.other[name])
  );
}

/**
 * Writes a code in its canonical form. The code is read back before it is returned: if the reader refuses it, you
 * get the reader's failure; if it says anything else than the draft, `not_expressible`.
 *
 * @param draft the content to write
 * @param options the form, the current day and, for a Digital Link, the host
 * @returns the code, or the failure
 */
export function writeUdi(
  draft: UdiDraft,
  { form, today, resolver = 'https://id.gs1.org' }: WriteOptions,
): UdiWriting {
  const content: UdiContent = { ...emptyContent, ...draft };
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
