import { Stack, Text } from '@mantine/core';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import type { Column } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { Person } from '../../ui/person.js';
import { StatusBadge } from '../../ui/status.js';
import { dispositionWords } from './disposition-words.js';
import { DISPOSITION_STATUSES, type Disposition } from './quality.types.js';

export const quantityOf = ({ lines }: Disposition): number =>
  lines.reduce((sum, line) => sum + line.quantity, 0);

/** The name of a disposition: its number, decision and goods. */
export function useDispositionName(): (disposition: Disposition) => string {
  const words = useWords(dispositionWords);
  const format = useFormat();
  return ({ dispositionNo, kind, lines }) => {
    const [first, ...others] = lines;
    const goods = first ? [first.productName, first.batchNo].filter(Boolean).join(' · ') : '';
    const more = others.length > 0 ? ` ${words.more(others.length)}` : '';
    return `${dispositionNo} · ${words.kinds[kind]}${format.colon}${goods}${more}`;
  };
}

/** The columns of a list of dispositions. */
export function useDispositionColumns(): Column<Disposition>[] {
  const words = useWords(dispositionWords);
  const common = useWords(commonWords);
  const format = useFormat();
  return [
    {
      name: words.disposition,
      show: (disposition) => (
        <RowLink
          to="/quality/dispositions/$dispositionId"
          params={{ dispositionId: disposition.dispositionId }}
        >
          {disposition.dispositionNo} · {words.kinds[disposition.kind]}
        </RowLink>
      ),
    },
    { name: words.goods, show: (disposition) => <Goods disposition={disposition} />, wide: 'below' },
    {
      name: words.quantity,
      show: (disposition) => format.number(quantityOf(disposition)),
      align: 'right',
      wide: 'below',
      below: (disposition) => `${words.quantity} ${format.number(quantityOf(disposition))}`,
    },
    {
      name: words.proposedBy,
      show: (disposition) => <Acted who={disposition.proposedBy} at={disposition.proposedAt} />,
      wide: 'below',
      below: ({ proposedBy, proposedAt }) => (
        <>
          {format.instant(proposedAt)} · <Person email={proposedBy} />
        </>
      ),
    },
    {
      name: words.approvedBy,
      show: (disposition) => <Acted who={disposition.approvedBy} at={disposition.approvedAt} />,
      wide: true,
    },
    {
      name: common.status,
      show: (disposition) => <StatusBadge status={DISPOSITION_STATUSES[disposition.status]} />,
    },
  ];
}

function Acted({ who, at }: { who: string | null; at: string | null }) {
  const format = useFormat();
  if (who === null) return NOTHING;
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Person email={who} />
      </Text>
      <Text size="xs" c="dimmed">
        {format.instant(at)}
      </Text>
    </>
  );
}

/** The first goods by name, and the number of further lines. */
function Goods({ disposition: { lines } }: { disposition: Disposition }) {
  const words = useWords(dispositionWords);
  const [first, ...others] = lines;
  if (!first) return NOTHING;
  return (
    <Stack gap={0} miw={{ base: 100, sm: 140 }}>
      <Text fz={{ base: 'xs', sm: 'sm' }}>{first.productName}</Text>
      <Text size="xs" c="dimmed">
        {first.batchNo === '' ? words.noBatch : <CodeText>{first.batchNo}</CodeText>}
        {others.length > 0 && ` ${words.more(others.length)}`}
      </Text>
    </Stack>
  );
}
