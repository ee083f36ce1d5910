import { Alert, Stack, Text, Textarea } from '@mantine/core';
import { Thermometer } from 'lucide-react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { checkWords } from './check-words.js';
import type { Receipt } from './receipt.types.js';

const REASON_MAX = 500;

/** Goods about to be accepted although they were transported outside their conditions, and the reason for it. */
export function TransportDeviation({
  temperature,
  lines,
  reason,
  onReason,
}: {
  temperature: number | null;
  lines: Receipt['lines'];
  /** Null before it is requested. */
  reason: string | null;
  onReason: (reason: string) => void;
}) {
  const words = useWords(checkWords);
  const format = useFormat();
  if (lines.length === 0) return null;
  const goods = lines.map(({ productName, batchNo }) => [productName, batchNo].filter(Boolean).join(' · '));
  return (
    <Alert color="red" icon={<Thermometer size={18} />} title={words.deviation} role="alert">
      <Stack gap="xs">
        <Text size="sm">{words.deviationOf(`${format.number(temperature)} °C`, format.list(goods))}</Text>
        <Textarea
          label={words.whyAccepted}
          description={words.whyAcceptedHint}
          required
          autosize
          minRows={2}
          maxLength={REASON_MAX}
          value={reason ?? ''}
          error={reason?.trim() === '' ? words.whyAcceptedMissing : null}
          onChange={(event) => onReason(event.currentTarget.value)}
        />
      </Stack>
    </Alert>
  );
}
