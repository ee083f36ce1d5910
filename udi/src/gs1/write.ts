import { BASIC_UDI_DI, type UdiContent } from '../udi.js';
import { keyQualifiers } from './digital-link.js';
import { SEPARATOR } from './element-string.js';
import { applicationIdentifiers } from './identifiers.js';

type Pair = readonly [ai: string, value: string];

const shortDate = (date: string): string => date.replaceAll('-', '').slice(2);

/** Values by identifier: the device first, then what has a predefined length, then what needs a separator. */
function pairsOf(content: UdiContent): Pair[] {
  const { deviceIdentifier, manufactureDate, expiryDate, batchNo, serialNo, quantity, other } = content;
  const { [BASIC_UDI_DI]: modelNumber, ...others } = other;
  const pairs: [string, string | null | undefined][] = [
    ['01', others['8006'] === undefined ? deviceIdentifier : null],
    ['8006', others['8006']],
    ['11', manufactureDate && shortDate(manufactureDate)],
    ['17', expiryDate && shortDate(expiryDate)],
    ['10', batchNo],
    ['21', serialNo],
    ['30', quantity === null ? null : String(quantity)],
    ['8013', modelNumber],
    ...Object.entries(others)
      .filter(([ai]) => ai !== '8006')
      .sort(([one], [two]) => (one < two ? -1 : 1)),
  ];
  const written = pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const rank = ([ai]: Pair): number => (ai === '01' || ai === '8006' ? 0 : isPredefined(ai) ? 1 : 2);
  return written.sort((one, two) => rank(one) - rank(two));
}

const isPredefined = (ai: string): boolean => applicationIdentifiers.get(ai)?.isPredefinedLength === true;

/** The form printed for people: identifiers in brackets. */
export function writeBracketed(content: UdiContent): string {
  return pairsOf(content)
    .map(([ai, value]) => `(${ai})${value.replaceAll('(', '\\(')}`)
    .join('');
}

/** The form a scanner sends, with separators only where they are needed. */
export function writeScanned(content: UdiContent): string {
  const pairs = pairsOf(content);
  return pairs
    .map(
      ([ai, value], index) =>
        `${ai}${value}${isPredefined(ai) || index === pairs.length - 1 ? '' : SEPARATOR}`,
    )
    .join('');
}

/** Everything except letters, digits and - . _ is encoded, whether an address would need it or not. */
function encoded(value: string): string {
  return value.replace(/[^0-9A-Za-z._-]/g, (character) => {
    const code = character.charCodeAt(0);
    return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** A GS1 Digital Link on the given resolver. */
export function writeDigitalLink(content: UdiContent, resolver: string): string {
  const pairs = pairsOf(content);
  const key = pairs.find(([ai]) => keyQualifiers.has(ai))?.[0] ?? '';
  const pathOrder = [key, ...(keyQualifiers.get(key) ?? [])];
  const inPath = pathOrder.flatMap((ai) => pairs.filter((pair) => pair[0] === ai));
  const inQuery = pairs.filter(([ai]) => !pathOrder.includes(ai));
  const path = inPath.map(([ai, value]) => `/${ai}/${encoded(value)}`).join('');
  const query = inQuery.map(([ai, value]) => `${ai}=${encoded(value)}`).join('&');
  return `${resolver.replace(/\/$/, '')}${path}${query && `?${query}`}`;
}
