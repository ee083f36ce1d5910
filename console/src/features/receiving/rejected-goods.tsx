import { Alert, List, Text } from '@mantine/core';
import { PackageX } from 'lucide-react';
import { useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { PageLink } from '../../ui/links.js';
import { StatusBadge } from '../../ui/status.js';
import { entryStatus } from '../quality/quality.types.js';
import type { Receipt } from './receipt.types.js';
import { receiptWords } from './receipt-words.js';

const ENTRIES_MAX = 200;

/** Where the rejected goods of a receipt went: the register entries that its acceptance created. */
export function RejectedGoods({ receipt: { receiptId, receiptNo, lines } }: { receipt: Receipt }) {
  const words = useWords(receiptWords);
  const format = useFormat();
  const may = useMay();
  const rejected = lines.reduce((sum, line) => sum + (line.rejectedQuantity ?? 0), 0);
  const list = useList('/v2/quality/nonconformities', {
    query: { q: receiptNo, limit: ENTRIES_MAX },
    enabled: rejected > 0 && may('quality:read'),
  });
  const entries = (list.data?.pages.flatMap(({ items }) => items) ?? []).filter(
    ({ source }) => source.id === receiptId,
  );
  if (rejected === 0) return null;
  return (
    <Alert
      color="red"
      variant="default"
      mt="sm"
      icon={<PackageX size={18} />}
      title={words.rejectedUnits(format.number(rejected))}
    >
      <Text size="sm">{words.inRegister}</Text>
      <List size="sm">
        {entries.map((entry) => (
          <List.Item key={entry.ncId}>
            <PageLink to="/quality/nonconformities/$ncId" params={{ ncId: entry.ncId }} underline="always">
              {[entry.productName, entry.batchNo].filter(Boolean).join(' · ')}
            </PageLink>{' '}
            <StatusBadge status={entryStatus(entry)} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
