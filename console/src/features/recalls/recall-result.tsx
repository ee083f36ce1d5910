import { Group, List, Stack } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { ButtonLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { wizardWords } from './recall-words.js';
import type { Recall } from './recalls.js';

/** The effects of the recall so far, and the steps left for people. */
export function Result({ recall }: { recall: Recall }) {
  const words = useWords(wizardWords);
  const format = useFormat();
  const blocked = recall.affectedStock.reduce((sum, stock) => sum + stock.quantity, 0);
  return (
    <Panel title={words.doneTitle}>
      <Stack role="status">
        <List>
          <List.Item>{words.blocked(format.number(blocked))}</List.Item>
          <List.Item>{words.stopped(recall.openDispatches.length)}</List.Item>
          <List.Item>{words.toNotifyNow(recall.consignees.length)}</List.Item>
        </List>
        <Group>
          <ButtonLink to="/recalls/$recallId" params={{ recallId: recall.recallId }}>
            {words.open}
          </ButtonLink>
        </Group>
      </Stack>
    </Panel>
  );
}
