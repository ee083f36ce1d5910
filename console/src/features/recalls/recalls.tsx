import type { Item } from '@lotward/client';
import { Progress, Stack, Text } from '@mantine/core';
import { OctagonAlert } from 'lucide-react';
import { useCountedList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
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
        {
          name: words.recallClass,
          show: (recall) => words.classNames[recall.class],
          wide: 'below',
          below: (recall) => (
            <>
              {words.recallClass} {words.classNames[recall.class]} · <Extent recall={recall} />
            </>
          ),
        },
        {
          name: words.opened,
          sort: 'openedAt',
          show: (recall) => <When at={recall.openedAt} />,
          wide: 'below',
        },
        { name: words.progress, show: (recall) => <AnsweredBar recall={recall} />, wide: 'below' },
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

/** A share of the customers, and what they did. */
function CustomersBar({ done, of, said }: { done: number; of: number; said: readonly string[] }) {
  const format = useFormat();
  return (
    <Stack gap={4} miw={140}>
      <Progress
        value={(done / of) * ALL}
        color={done === of ? 'teal' : 'orange'}
        aria-label={format.list(said)}
      />
      {said.map((each) => (
        <Text key={each} size="xs" c="dimmed">
          {each}
        </Text>
      ))}
    </Stack>
  );
}

const Nobody = () => (
  <Text size="xs" c="dimmed">
    {useWords(recallWords).nobody}
  </Text>
);

/** How many of the consignees have acknowledged. */
export function AcknowledgedBar({ recall: { effectiveness } }: { recall: Recall }) {
  const words = useWords(recallWords);
  const { consignees, acknowledged } = effectiveness;
  if (consignees === 0) return <Nobody />;
  return (
    <CustomersBar done={acknowledged} of={consignees} said={[words.acknowledged(acknowledged, consignees)]} />
  );
}

/** A recall is done not when everyone knows about it, but when everyone has answered what happened to the goods. */
function AnsweredBar({ recall: { status, effectiveness } }: { recall: Recall }) {
  const words = useWords(recallWords);
  const { consignees, acknowledged, answered } = effectiveness;
  if (consignees === 0) return <Nobody />;
  return (
    <CustomersBar
      done={answered}
      of={consignees}
      said={[
        status === 'closed' && answered < consignees
          ? words.closedWithout(consignees - answered)
          : words.answered(answered, consignees),
        words.acknowledged(acknowledged, consignees),
      ]}
    />
  );
}
