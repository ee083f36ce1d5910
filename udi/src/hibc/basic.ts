import { consistsOf } from '../characters.js';
import { failure, quote, type UdiFailure } from '../failure.js';
import { hasCheckPair } from '../gs1/check-digit.js';
import { BASIC_UDI_DI, emptyContent, type UdiContent } from '../udi.js';
import { checkLabeler } from './primary.js';

/** ++, labeler, up to 17 characters of the model, and the two check characters GS1 also uses. */
const LENGTH_MIN = 9;
const LENGTH_MAX = 25;

/** Reads a Basic UDI-DI of HIBC. */
export function readHibcBasic(text: string, start: number): UdiContent | UdiFailure {
  const about = `Basic UDI-DI ${quote(text)}`;
  if (text.length > LENGTH_MAX)
    return failure('too_long', start, `${about}: at most ${LENGTH_MAX} characters`);
  const problem = checkLabeler(text.slice(2), start + 2);
  if (problem !== undefined) return problem;
  if (text.length < LENGTH_MIN)
    return failure('too_short', start, `${about}: at least ${LENGTH_MIN} characters`);
  if (!consistsOf(text, 'set82'))
    return failure('illegal_character', start, `${about}: a character is not allowed`);
  if (!hasCheckPair(text))
    return failure('bad_check_character', start, `${about}: the check characters do not fit`);
  return { ...emptyContent, issuingAgency: 'HIBCC', other: { [BASIC_UDI_DI]: text } };
}
