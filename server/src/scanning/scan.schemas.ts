import { CODE_LENGTH_MAX } from '@lotward/udi';
import { Type } from 'typebox';

const SCANS_MAX = 10_000;

/** A code as a scanner gives it: it may hold U+001D, which no other text may. */
export const ScannedCode = () =>
  Type.String({
    minLength: 1,
    maxLength: CODE_LENGTH_MAX,
    description: 'A UDI code as it was scanned.',
    examples: ['(01)06901234567892(17)281130(10)B1'],
  });

export const ScannedCodes = (description: string) =>
  Type.Array(ScannedCode(), { maxItems: SCANS_MAX, description });
