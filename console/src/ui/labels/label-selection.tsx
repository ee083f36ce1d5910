import { Alert, Button, Group, Text } from '@mantine/core';
import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat } from '../../app/format.js';
import { dictionary, useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { ButtonLink } from '../links.js';
import { listWords } from '../list/list-words.js';
import { type Selection, useSelection } from '../list/selection.js';
import { keepLabelGoods, type LabelGoods } from './label-goods.js';

const words = dictionary({ printLabels: 'Print labels' }, { printLabels: '打印标签' });

/** Links to the labels of these goods, for people who may print them. */
export function PrintLabelsButton({ goods }: { goods: () => readonly LabelGoods[] }) {
  const { printLabels } = useWords(words);
  const may = useMay();
  if (!may('udi:read') || !may('products:read')) return null;
  return (
    <ButtonLink
      to="/print-labels"
      search={{ chosen: '1' }}
      variant="default"
      size="xs"
      leftSection={<Printer size={14} />}
      onClick={() => keepLabelGoods(goods())}
    >
      {printLabels}
    </ButtonLink>
  );
}

/** Rows of a table selected for labels, with the bar above the table. Not offered to people who may not print labels. */
export function useLabelSelection<I>(
  keyOf: (item: I) => string,
  nameOf: (item: I) => string,
  goodsOf: (item: I) => readonly LabelGoods[],
): { selection: Selection<I> | undefined; bar: ReactNode } {
  const may = useMay();
  const selection = useSelection(keyOf, nameOf);
  const { selected, clearSelection } = useWords(listWords);
  const format = useFormat();
  if (!may('udi:read') || !may('products:read')) return { selection: undefined, bar: null };
  return {
    selection,
    bar: selection.items.length > 0 && (
      <Alert variant="light" p="xs" mb="sm" className="bulk-bar no-print">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600} aria-live="polite">
            {selected(format.number(selection.items.length))}
          </Text>
          <Group gap="xs">
            <Button variant="default" size="xs" onClick={selection.clear}>
              {clearSelection}
            </Button>
            <PrintLabelsButton goods={() => selection.items.flatMap(goodsOf)} />
          </Group>
        </Group>
      </Alert>
    ),
  };
}
