import { Alert, Stack, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { ItemTable } from '../../ui/data-table.js';
import type { Decision, Receipt } from './receipt.types.js';
import { receiptWords } from './receipt-words.js';

/** Quantities to be accepted and rejected, by line and in total. */
export function AcceptanceSummary({
  receipt,
  decisions,
}: {
  receipt: Receipt;
  decisions: readonly Decision[];
}) {
  const words = useWords(receiptWords);
  const format = useFormat();
  const lines = receipt.lines.map((line, at) => {
    const { rejected = 0, reason = '', rejectedSerials = [] } = decisions[at] ?? {};
    return { ...line, accepted: line.quantity - rejected, rejected, reason, rejectedSerials };
  });
  const sum = (of: 'accepted' | 'rejected') => lines.reduce((total, line) => total + line[of], 0);
  const [accepted, rejected] = [sum('accepted'), sum('rejected')];
  const totals = words.acceptanceTotals(format.number(accepted), format.number(rejected));
  return (
    <Stack>
      <ItemTable
        label={words.lines}
        items={lines}
        rowKey={(line) => String(line.lineNo)}
        columns={[
          {
            name: words.product,
            show: (line) => [line.productName, line.batchNo].filter(Boolean).join(' · '),
          },
          { name: words.accepted, show: (line) => format.number(line.accepted), align: 'right' },
          {
            name: words.rejected,
            show: (line) => (
              <>
                {format.number(line.rejected)}
                {line.rejected > 0 && (
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {[line.reason.trim(), ...line.rejectedSerials].filter(Boolean).join(' · ')}
                  </Text>
                )}
              </>
            ),
            align: 'right',
          },
        ]}
      />
      <Text size="sm" fw={600}>
        {totals}
      </Text>
      <Alert color="orange" icon={<TriangleAlert size={18} />}>
        {receipt.kind === 'return' ? `${words.returnHint} ${words.cannotUndo}` : words.cannotUndo}
      </Alert>
    </Stack>
  );
}
