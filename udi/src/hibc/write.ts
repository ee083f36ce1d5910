import { BASIC_UDI_DI, type UdiContent } from '../udi.js';
import { checkCharacter } from './check-character.js';
import { supplements } from './supplements.js';

const compactDate = (date: string): string => date.replaceAll('-', '');

/** The number that stands in the secondary structure: the lot, or the serial number if there is no lot. */
function secondaryPart({ batchNo, serialNo, expiryDate, other }: UdiContent): string | undefined {
  const kind = batchNo === null && serialNo !== null ? '+' : '';
  const number = batchNo ?? serialNo ?? '';
  if (other.expiryHour !== undefined && expiryDate !== null)
    return `$$${kind}4${compactDate(expiryDate).slice(2)}${other.expiryHour}${number}`;
  return number === '' ? undefined : `$${kind}${number}`;
}

/** Dates go into supplementary data, where the year has four digits and no century is left to a rule. */
function supplementParts({
  batchNo,
  serialNo,
  manufactureDate,
  expiryDate,
  quantity,
  other,
}: UdiContent): string[] {
  const parts: string[] = [];
  if (batchNo !== null && serialNo !== null) parts.push(`S${serialNo}`);
  if (manufactureDate !== null) parts.push(`16D${compactDate(manufactureDate)}`);
  if (expiryDate !== null && other.expiryHour === undefined) parts.push(`14D${compactDate(expiryDate)}`);
  if (quantity !== null) parts.push(`Q${quantity}`);
  for (const { identifier, name } of supplements) {
    const value = other[name];
    if (value !== undefined) parts.push(`${identifier}${value}`);
  }
  return parts;
}

/** One code with everything in it; or the secondary code alone, if there is a link character instead of a device. */
export function writeHibc(content: UdiContent): string {
  const { deviceIdentifier, other } = content;
  if (other[BASIC_UDI_DI] !== undefined) return other[BASIC_UDI_DI];
  const parts = [deviceIdentifier ?? undefined, secondaryPart(content), ...supplementParts(content)];
  const body = `+${parts.filter((part) => part !== undefined).join('/')}${other.linkCharacter ?? ''}`;
  return body + checkCharacter(body);
}
