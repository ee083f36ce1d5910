import { Box, Checkbox, Skeleton, Stack, Text } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Problem } from '../../ui/problem.js';
import { isExpired } from '../stock/expiry.js';
import type { StepProps } from './recall-draft.js';
import { wizardWords } from './recall-words.js';
import { useShippedBatches } from './use-shipped-batches.js';

/** The product's batches to choose from: those in stock first, then sold-out ones. */
export function KnownBatches({ draft, change }: StepProps) {
  const words = useWords(wizardWords);
  const format = useFormat();
  const productCode = draft.productCode ?? '';
  const stock = useResource('/v2/inventory', { query: { productCode } });
  const shipped = useShippedBatches(productCode);
  const failed = [stock, shipped].find((query) => query.isError);
  if (failed) return <Problem error={failed.error} onRetry={() => failed.refetch()} />;
  if (!stock.data || !shipped.data) return <Skeleton height={120} />;
  const { batches = [] } = stock.data;
  const inStock = new Set(batches.map(({ batchNo }) => batchNo));
  const soldOut = shipped.data.batches.filter(({ batchNo }) => !inStock.has(batchNo));
  const say = (expiry: string | null) => (isExpired(expiry) ? words.expiredBatch : words.batchInStock);
  return (
    <Checkbox.Group value={draft.batchNos} onChange={(batchNos) => change({ batchNos })}>
      <Stack>
        <Choices
          label={words.inStock}
          empty={words.noneInStock}
          choices={batches.map(({ batchNo, quantity, expiryDate }) => ({
            batchNo,
            label: say(expiryDate)(batchNo, format.number(quantity), format.day(expiryDate)),
          }))}
        />
        {soldOut.length > 0 && (
          <Choices
            label={words.soldOut}
            choices={soldOut.map(({ batchNo, quantity, customers }) => ({
              batchNo,
              label: words.batchSoldOut(batchNo, format.number(quantity), customers),
            }))}
          />
        )}
        {shipped.data.isPartial && (
          <Text size="xs" c="dimmed">
            {words.soldOutPart}
          </Text>
        )}
      </Stack>
    </Checkbox.Group>
  );
}

function Choices({
  label,
  choices,
  empty,
}: {
  label: string;
  choices: readonly { batchNo: string; label: string }[];
  empty?: string;
}) {
  return (
    <Box component="fieldset" m={0} p={0} bd={0}>
      <Text component="legend" size="sm" fw={500} p={0}>
        {label}
      </Text>
      {choices.length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      <Stack gap="xs" mt="xs" mah={240} style={{ overflowY: 'auto' }}>
        {choices.map((choice) => (
          <Checkbox key={choice.batchNo} value={choice.batchNo} label={choice.label} />
        ))}
      </Stack>
    </Box>
  );
}
