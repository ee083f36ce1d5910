import { isDigits } from './characters.js';
import { failure, quote, type UdiFailure } from './failure.js';
import { BASIC_UDI_DI, emptyContent, type UdiContent } from './udi.js';

const DEVICE_GROUP = /^[0-9A-Z.]{1,16}$/;

/** Modulo 97 over the character codes, weighted 2, 3, 4 … from the left. */
function checkDigits(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at) * (at + 2);
  return String(sum % 97).padStart(2, '0');
}

/** A Basic UDI-DI of IFA: PP, five digits of the manufacturer, the device group, two check digits. */
export function readIfaBasic(code: string, start: number): UdiContent | UdiFailure {
  const text = code.slice(start);
  if (text.length > 25) return failure('too_long', start, 'a Basic UDI-DI has at most 25 characters');
  if (!isDigits(text.slice(2, 7)) || !DEVICE_GROUP.test(text.slice(7, -2)))
    return failure('unknown_format', start, `no Basic UDI-DI of IFA: ${quote(text)}`);
  if (checkDigits(text.slice(0, -2)) !== text.slice(-2))
    return failure('bad_check_digit', start, `Basic UDI-DI ${quote(text)}: the check digits do not fit`);
  return { ...emptyContent, issuingAgency: 'IFA', other: { [BASIC_UDI_DI]: text } };
}
