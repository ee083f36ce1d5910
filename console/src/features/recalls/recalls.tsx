import type { Item } from '@lotward/client';
import { Progress, Stack, Text } from '@mantine/core';
import { OctagonAlert } from 'lucide-react';
import { useCountedList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { choiceFilter, pickerFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { useTaskFilter } from '../../ui/task-filter.js';
import { When } from '../../ui/when.js';
import { ProductPicker } from '../catalogue/pickers.js';
import { recallWords } from './recall-words.js';

export type Recall = Item<'/v2/recalls'>;

export default function Recalls() {
  const words = useWords(recallWords);
  const common = useWords(commonWords);
  const may = useMay();
  const filters = useListFilters(
    {
      status: choiceFilter(common.status, useStatusChoices(['open', 'closed'])),
      task: useTaskFilter('recalls_unanswered'),
      productCode: pickerFilter(words.product, ProductPicker, may('products:read')),
    },
    { by: [words.no, words.product] },
  );
  return (
    <ListPage
      title={words.recalls}
      hint={words.hint}
      create={{
        scope: 'recalls:write',
        label: words.start,
        to: '/recalls/new',
        color: 'red',
        icon: OctagonAlert,
      }}
      filters={filters}
      list={useCountedList('/v2/recalls', filters)}
      noun={words.noun}
      usualSort="-openedAt"
      rowKey={(recall) => recall.recallId}
      empty={{ title: words.none, hint: words.noneHint }}
      columns={[
        {
          name: words.no,
          show: (recall) => (
            <RowLink to="/recalls/$recallId" params={{ recallId: recall.recallId }}>
              <CodeText>{recall.recallNo}</CodeText>
            </RowLink>
          ),
        },
        { name: words.product, show: (recall) => recall.productName, wide: 'below' },
        { name: words.extent, show: (recall) => <Extent recall={recall} />, wide: true },
        { name: words.recallClass, show: (recall) => words.classNames[recall.class], wide: true },
        {
          name: words.opened,
          sort: 'openedAt',
          show: (recall) => <When at={recall.openedAt} />,
          wide: true,
        },
        { name: words.progress, show: (recall) => <AcknowledgedBar recall={recall} />, wide: true },
        { name: common.status, show: (recall) => <StatusBadge status={recall.status} /> },
      ]}
    />
  );
}

export function Extent({ recall }: { recall: Pick<Recall, 'extent' | 'batchNos' | 'serials'> }) {
  const { extents } = useWords(recallWords);
  if (recall.extent === 'product') return extents.product;
  return recall.extent === 'batches'
    ? extents.batches(recall.batchNos.length)
    : extents.serials(recall.serials.length);
}

const ALL = 100;

/** How many of those who have to know do. */
export function AcknowledgedBar({ recall: { effectiveness } }: { recall: Recall }) {
  const words = useWords(recallWords);
  const { consignees, acknowledged } = effectiveness;
  if (consignees === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.nobody}
      </Text>
    );
  const said = words.acknowledged(acknowledged, consignees);
  return (
    <Stack gap={4} miw={140}>
      <Progress
        value={(acknowledged / consignees) * ALL}
        color={acknowledged === consignees ? 'teal' : 'orange'}
        aria-label={said}
      />
      <Text size="xs" c="dimmed">
        {said}
      </Text>
    </Stack>
  );
}
