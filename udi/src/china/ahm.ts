import { consistsOf } from '../characters.js';
import { failure, quote, type UdiFailure } from '../failure.js';
import { emptyContent, type UdiContent } from '../udi.js';

/** Reads a code of Alibaba Health, recognized by its prefix. Without a published format, no device identifier is returned. */
export function readAliHealth(code: string, start: number): UdiContent | UdiFailure {
  const content = code.slice(start + 3);
  if (content === '') return failure('too_short', start, 'nothing follows the prefix AHM');
  if (!consistsOf(content, 'set82'))
    return failure('illegal_character', start + 3, `not allowed in a code: ${quote(content)}`);
  return { ...emptyContent, issuingAgency: 'AHM', other: { content } };
}
