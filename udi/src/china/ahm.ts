import { consistsOf } from '../characters.js';
import { failure, quoted, type UdiFailure } from '../failure.js';
import { nothingSaid, type UdiContent } from '../udi.js';

/** A code of Alibaba Health, known by its prefix. Where its device identifier ends is not published: none is given. */
export function readAliHealth(code: string, start: number): UdiContent | UdiFailure {
  const content = code.slice(start + 3);
  if (content === '') return failure('too_short', start, 'nothing follows the prefix AHM');
  if (!consistsOf(content, 'set82'))
    return failure('illegal_character', start + 3, `not allowed in a code: ${quoted(content)}`);
  return { ...nothingSaid, issuingAgency: 'AHM', other: { content } };
}
