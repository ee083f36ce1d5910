import { Button, Group, List, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Panel } from '../../ui/page.js';
import { wizardWords } from './recall-words.js';
import type { Recall } from './recalls.js';

/** What the recall did at once, and what people have to do now. */
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
          <List.Item>{words.toldNow(recall.consignees.length)}</List.Item>
        </List>
        <Group>
          <Button component={Link} to={`/recalls/${recall.recallId}`}>
            {words.open}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
