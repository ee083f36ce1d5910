import { fromDayOfYear, isTime } from '../calendar.js';
import { firstOutside } from '../characters.js';
import { failure, isFailure, quote, type UdiFailure } from '../failure.js';
import { emptyContent, type UdiContent } from '../udi.js';
import { COMPOUND, DONATION, type Structure, structures, timeName } from './structures.js';

const marked = structures.filter((structure) => structure !== DONATION);

/** First characters of a donation identification number: every letter and digit except O and 0. */
const donationStarts = 'ABCDEFGHIJKLMNPQRSTUVWXYZ123456789';

function structureAt(code: string, at: number): Structure | undefined {
  const second = code[at + 1] ?? '';
  if (code[at] === '=' && second !== '' && donationStarts.includes(second)) return DONATION;
  return marked.find(({ identifier }) => code.startsWith(identifier, at));
}

/** cyyjjj: the last digit of the century, the year in it, the day of the year. Nine is the last century. */
function dateOf(text: string): string | undefined {
  const century = text[0] === '9' ? 1900 : 2000 + 100 * Number(text[0]);
  return fromDayOfYear(century + Number(text.slice(1, 3)), Number(text.slice(3, 6)));
}

type NamedValue = readonly [name: string, value: string];

function readValue({ name, holds }: Structure, text: string, at: number): NamedValue[] | UdiFailure {
  const outside = firstOutside(text, holds === 'text' ? 'alphanumeric' : 'digits');
  if (outside !== -1)
    return failure(
      'illegal_character',
      at + outside,
      `not allowed in ${name}: ${quote(text[outside] ?? '')}`,
    );
  if (holds === 'text' || holds === 'digits') return [[name, text]];
  const date = dateOf(text);
  if (date === undefined || (holds === 'dateTime' && !isTime(text.slice(6))))
    return failure('illegal_date', at, `${name} ${quote(text)}: there is no such date`);
  return holds === 'date'
    ? [[name, date]]
    : [
        [name, date],
        [timeName(name), text.slice(6)],
      ];
}

/** A compound message announces how many structures follow, so that a lost one is detected. */
function checkCount(
  values: ReadonlyMap<string, string>,
  count: number,
  start: number,
): UdiFailure | undefined {
  const announced = Number(values.get(COMPOUND.name)?.slice(0, 2) ?? count);
  return announced === count || announced === 0
    ? undefined
    : failure('incomplete_message', start, `${announced} data structures announced, ${count} found`);
}

function contentOf(values: ReadonlyMap<string, string>, start: number): UdiContent | UdiFailure {
  const { deviceIdentifier, containerIdentifier, serialNo, batchNo, manufactureDate, expiryDate, ...other } =
    Object.fromEntries(values);
  const device = deviceIdentifier ?? containerIdentifier;
  if (device === undefined)
    return failure('missing_device_identifier', start, 'neither =/ nor =) with a device identifier');
  if (deviceIdentifier !== undefined && containerIdentifier !== undefined)
    return failure('conflicting_values', start, '=/ and =) both name a device');
  return {
    ...emptyContent,
    issuingAgency: 'ICCBBA',
    deviceIdentifier: device,
    serialNo: serialNo ?? null,
    batchNo: batchNo ?? null,
    manufactureDate: manufactureDate ?? null,
    expiryDate: expiryDate ?? null,
    other: other as Record<string, string>,
  };
}

/** Reads one ISBT 128 structure or several. */
export function readIsbt128(code: string, start: number): UdiContent | UdiFailure {
  const values = new Map<string, string>();
  let count = 0;
  let at = start;
  while (at < code.length) {
    const structure = structureAt(code, at);
    if (structure === undefined)
      return failure('unknown_identifier', at, `no data structure: ${quote(code.slice(at, at + 3))}`);
    const valueAt = at + structure.identifier.length;
    const text = code.slice(valueAt, valueAt + structure.length);
    if (text.length < structure.length)
      return failure(
        'too_short',
        valueAt,
        `${structure.name} ${quote(text)}: ${structure.length} characters`,
      );
    const named = readValue(structure, text, valueAt);
    if (isFailure(named)) return named;
    for (const [name, value] of named) {
      if ((values.get(name) ?? value) !== value)
        return failure('conflicting_values', at, `${name} is there twice, with different values`);
      values.set(name, value);
    }
    if (structure === COMPOUND && at !== start)
      return failure('unknown_identifier', at, 'the header of a compound message stands first');
    if (structure !== COMPOUND) count += 1;
    at = valueAt + structure.length;
  }
  return checkCount(values, count, start) ?? contentOf(values, start);
}
