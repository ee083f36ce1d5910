import { CODE_LENGTH_MAX } from '@lotward/udi';
import { Type } from 'typebox';

const SCANS_MAX = 10_000;

/** A code as a scanner sends it. Unlike other text, it may contain U+001D. */
export const ScannedCode = () =>
  Type.String({
    minLength: 1,
    maxLength: CODE_LENGTH_MAX,
    description: 'A UDI code as scanned.',
    examples: ['(01)06901234567892(17)281130(10)B1'],
  });

export const ScannedCodes = (description: string) =>
  Type.Array(ScannedCode(), { maxItems: SCANS_MAX, description });
