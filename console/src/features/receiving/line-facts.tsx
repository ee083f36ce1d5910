import { Box, Group, Text } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { isOutside } from '../catalogue/storage-text.js';
import { useStorageText } from '../catalogue/use-storage-text.js';
import { Expiry } from '../stock/expiry.js';
import { checkWords } from './check-words.js';
import type { Receipt } from './receipt.types.js';
import { receiptWords } from './receipt-words.js';

interface Props {
  line: Receipt['lines'][number];
  transportTemperature: number | null;
}

/** The goods of a line, from the receipt and the catalogue. */
export function LineFacts({ line, transportTemperature }: Props) {
  const words = useWords(receiptWords);
  const format = useFormat();
  return (
    <Group justify="space-between" align="flex-start" gap="xs">
      <Box>
        <Text size="sm" fw={600}>
          {line.productName}
        </Text>
        <Text size="sm" c="dimmed" className="code">
          {line.productCode} {line.batchNo && `· ${words.batch} ${line.batchNo}`}
        </Text>
        <Expiry date={line.expiryDate} />
        <ToCompare line={line} transportTemperature={transportTemperature} />
      </Box>
      <Text size="sm">
        {words.quantity} <b>{format.number(line.quantity)}</b>
      </Text>
    </Group>
  );
}

/** The facts to compare with the label and the papers of the goods. */
function ToCompare({ line, transportTemperature }: Props) {
  const storageText = useStorageText();
  const words = useWords(receiptWords);
  const checks = useWords(checkWords);
  const product = useResource('/v2/products/{id}', {
    path: { id: line.productCode },
    enabled: useMay()('products:read'),
  });
  const { storage } = product.data ?? {};
  const facts = [
    [words.specification, line.specification ?? line.model],
    [words.manufacturer, line.manufacturer],
    [words.registrationNo, line.registrationNo],
    [checks.storage, storageText(storage)],
  ].filter(([, fact]) => fact);
  return (
    <>
      <Text size="xs" c="dimmed">
        {facts.map(([name, fact]) => checks.fact(name ?? '', fact ?? '')).join(' · ')}
      </Text>
      {isOutside(transportTemperature, storage) && (
        <Text size="xs" c="red" fw={600}>
          {checks.tooWarm}
        </Text>
      )}
    </>
  );
}
