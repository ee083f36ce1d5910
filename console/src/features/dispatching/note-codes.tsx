import { writeUdi } from '@lotward/client';
import { Box, Group } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { noteWords } from './note-words.js';
import type { DispatchLine } from './pick-draft.js';

/** Above this number, serialized units are listed without a symbol each. */
const CODES_MAX = 6;

/** The codes printed as symbols: one per batch, or one per serialized unit. */
export function codesOf(deviceIdentifier: string | null, pick: DispatchLine['picks'][number]): string[] {
  // Only a GTIN can be written as a GS1 code; for other agencies, the label on the goods must do.
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
        // Scanners need contrast, so it is black on white in the dark theme, too.
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
