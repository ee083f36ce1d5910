import { dayOfYear } from '../calendar.js';
import type { UdiContent } from '../udi.js';
import { type Structure, structures, timeName } from './structures.js';

const CONTAINER_LENGTH = 10;

/** cyyjjj. */
function dateText(date: string): string {
  const year = Number(date.slice(0, 4));
  const century = year < 2000 ? 9 : Math.floor((year - 2000) / 100);
  return `${century}${date.slice(2, 4)}${String(dayOfYear(date)).padStart(3, '0')}`;
}

function writtenValue(
  { holds, name }: Structure,
  values: Readonly<Record<string, string>>,
): string | undefined {
  const value = values[name];
  const time = values[timeName(name)];
  if (value === undefined || holds === 'text' || holds === 'digits') return value;
  if (holds === 'date') return time === undefined ? dateText(value) : undefined;
  return time === undefined ? undefined : dateText(value) + time;
}

/** The identifiers of devices and of containers, and their lots, differ in length and so choose their structure. */
/** Writes the data structures of the content one after the other. */
export function writeIsbt128({
  issuingAgency: _,
  deviceIdentifier,
  quantity: __,
  other,
  ...fields
}: UdiContent): string {
  const isContainer = deviceIdentifier?.length === CONTAINER_LENGTH;
  const values: Record<string, string> = { ...other };
  for (const [name, value] of Object.entries(fields)) if (typeof value === 'string') values[name] = value;
  if (deviceIdentifier !== null)
    values[isContainer ? 'containerIdentifier' : 'deviceIdentifier'] = deviceIdentifier;
  const parts = structures.map((structure) => {
    const value = writtenValue(structure, values);
    const isOtherLot = structure.name === 'batchNo' && value?.length !== structure.length;
    return value === undefined || isOtherLot ? '' : `${structure.identifier}${value}`;
  });
  return parts.join('');
}
