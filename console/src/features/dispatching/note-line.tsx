import { writeUdi } from '@lotward/client';
import { Box, Group, Table, Text } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { storageText } from '../catalogue/storage-text.js';
import { useProductStock } from '../stock/inventory-record.js';
import { noteWords } from './note-words.js';
import type { DispatchLine } from './pick-draft.js';

interface Pick {
  batchNo: string;
  /** Undefined: not picked yet. */
  expiryDate?: string | null;
  quantity: number;
  serials: string[];
}

/** Serialized units beyond this number are listed without a symbol each. */
const CODES_MAX = 6;

/** The codes printed as symbols: one for the batch, or one for each serialized unit. */
function codesOf(deviceIdentifier: string | null, expiryDate: string | null, pick: Pick): string[] {
  // Only a GTIN is written as a code of GS1; of other agencies the label of the goods has to do.
  if (deviceIdentifier === null || !/^\d{14}$/.test(deviceIdentifier)) return [];
  const drawn = pick.serials.length > 0 && pick.serials.length <= CODES_MAX ? pick.serials : [null];
  return drawn.flatMap((serialNo) => {
    const writing = writeUdi(
      {
        issuingAgency: 'GS1',
        deviceIdentifier,
        batchNo: pick.batchNo === '' ? null : pick.batchNo,
        expiryDate,
        serialNo,
      },
      { form: 'bracketed', today: new Date().toISOString().slice(0, 10) },
    );
    return writing.ok ? [writing.code] : [];
  });
}

export function NoteLine({ line, pick }: { line: DispatchLine; pick: Pick }) {
  const words = useWords(noteWords);
  const format = useFormat();
  const may = useMay();
  const product = useResource('/v2/products/{id}', {
    path: { id: line.productCode },
    enabled: may('products:read'),
  });
  // Before the goods are picked, the stock says when their batch expires.
  const isPicked = pick.expiryDate !== undefined;
  const stock = useProductStock(line.productCode, undefined, !isPicked && may('inventory:read'));
  const batch = stock.data?.batches.find((each) => each.batchNo === pick.batchNo);
  const expiryDate = pick.expiryDate ?? batch?.expiryDate ?? null;
  const codes = codesOf(product.data?.udiDi ?? null, expiryDate, pick);
  const storage = storageText(product.data?.storage, format);
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {line.productName}
        </Text>
        <Text size="xs">
          <CodeText>{line.productCode}</CodeText>
          {line.specification && ` · ${line.specification}`}
        </Text>
        {line.manufacturer && <Text size="xs">{words.fact(words.manufacturer, line.manufacturer)}</Text>}
        {line.registrationNo && (
          <Text size="xs">{words.fact(words.registrationNo, line.registrationNo)}</Text>
        )}
        {storage && <Text size="xs">{words.fact(words.storage, storage)}</Text>}
      </Table.Td>
      <Table.Td>
        <Text size="sm">
          <CodeText>{pick.batchNo}</CodeText>
        </Text>
        {expiryDate && <Text size="xs">{words.fact(words.expiry, format.day(expiryDate))}</Text>}
        {pick.serials.length > 0 && (
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {words.serials}
            {format.colon}
            <CodeText>{pick.serials.join(', ')}</CodeText>
          </Text>
        )}
        <Box hiddenFrom="xs">{may('udi:read') && <Codes codes={codes} />}</Box>
      </Table.Td>
      <Table.Td ta="right">
        {format.number(pick.quantity)} {line.unit}
      </Table.Td>
      <Table.Td visibleFrom="xs">{may('udi:read') && <Codes codes={codes} />}</Table.Td>
    </Table.Tr>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  const words = useWords(noteWords);
  return (
    <Group gap="xs">
      {codes.map((code) => (
        // A symbol is read by its contrast: black on white in the dark, too.
        <Box key={code} bg="white" p={4} style={{ borderRadius: 4 }}>
          <img
            src={`/labels/udi.svg?code=${encodeURIComponent(code)}`}
            alt={words.barcodeOf(code)}
            style={{ display: 'block', height: 120, maxWidth: '100%' }}
          />
        </Box>
      ))}
    </Group>
  );
}
