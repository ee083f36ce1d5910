import { Box, Button, Group, NumberInput } from '@mantine/core';
import { Printer } from 'lucide-react';
import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { Page } from '../../ui/page.js';
import { LabelImage } from './label-panel.js';
import { traceWords } from './trace-words.js';

const COPIES_MAX = 200;

/** Only the labels reach the paper. */
export default function LabelsToPrint() {
  const words = useWords(traceWords);
  const [{ code = '', symbology = 'gs1-datamatrix', copies = '1' }, change] = useFilters([
    'code',
    'symbology',
    'copies',
  ] as const);
  const count = Math.min(Math.max(Math.trunc(Number(copies)) || 1, 1), COPIES_MAX);
  if (code === '') return <Empty title={words.start} />;
  return (
    <Page
      title={words.printLabels}
      above={{ to: '/trace', name: words.title }}
      actions={
        <Group align="flex-end" className="no-print">
          <NumberInput
            label={words.copies}
            w={110}
            min={1}
            max={COPIES_MAX}
            value={count}
            onChange={(value) => change({ copies: String(value) })}
          />
          <Button leftSection={<Printer size={16} />} onClick={() => window.print()}>
            {words.print}
          </Button>
        </Group>
      }
    >
      <Group gap="xs" align="flex-start">
        {Array.from({ length: count }, (_, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: labels that are all alike
          <Box key={n} style={{ breakInside: 'avoid', border: '1px dashed var(--mantine-color-dimmed)' }}>
            <LabelImage code={code} symbology={symbology} />
          </Box>
        ))}
      </Group>
    </Page>
  );
}
