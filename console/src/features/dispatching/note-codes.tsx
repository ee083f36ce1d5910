import { writeUdi } from '@lotward/client';
import { Box, Group } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { noteWords } from './note-words.js';
import type { DispatchLine } from './pick-draft.js';

/** Serialized units beyond this number are listed without a symbol each. */
const CODES_MAX = 6;

/** The codes printed as symbols: one for the batch, or one for each serialized unit. */
export function codesOf(deviceIdentifier: string | null, pick: DispatchLine['picks'][number]): string[] {
  // Only a GTIN is written as a code of GS1; of other agencies the label of the goods has to do.
  if (deviceIdentifier === null || !/^\d{14}$/.test(deviceIdentifier)) return [];
  const drawn = pick.serials.length > 0 && pick.serials.length <= CODES_MAX ? pick.serials : [null];
  return drawn.flatMap((serialNo) => {
    const writing = writeUdi(
      {
        issuingAgency: 'GS1',
        deviceIdentifier,
        batchNo: pick.batchNo === '' ? null : pick.batchNo,
        expiryDate: pick.expiryDate,
        serialNo,
      },
      { form: 'bracketed', today: new Date().toISOString().slice(0, 10) },
    );
    return writing.ok ? [writing.code] : [];
  });
}

export function Codes({ codes }: { codes: readonly string[] }) {
  const words = useWords(noteWords);
  return (
    <Group gap="xs">
      {codes.map((code) => (
        // A symbol is read by its contrast: black on white in the dark, too.
        <Box key={code} bg="white" style={{ borderRadius: 4 }}>
          <img
            src={`/labels/udi.svg?code=${encodeURIComponent(code)}`}
            alt={words.barcodeOf(code)}
            style={{ display: 'block', height: 120 }}
          />
        </Box>
      ))}
    </Group>
  );
}
