import type { Data } from '@lotward/client';
import { Box, ColorSwatch, Group, Progress, Stack, Text } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Loaded, Panel } from '../../ui/page.js';
import { recallWords } from './recall-words.js';
import { AcknowledgedBar, type Recall } from './recalls.js';

type Effectiveness = Data<'/v2/recalls/{recallId}/effectiveness', 'get'>;

/** The outcomes of the delivered goods, in the order of the bar; the rest is unanswered. */
const DELIVERED = [
  ['returned', 'teal.6'],
  ['destroyed', 'cyan.7'],
  ['used', 'blue.6'],
  ['onHand', 'yellow.6'],
  ['notFound', 'red.6'],
  ['notAnswered', 'gray.5'],
] as const;

const STOCK = [
  ['disposed', 'cyan.7'],
  ['released', 'teal.6'],
  ['onHold', 'orange.6'],
] as const;

/** The progress of a recall: the customers' goods by their answers, and our stock by disposition. */
export function RecallProgress({ recall }: { recall: Recall }) {
  const words = useWords(recallWords);
  const { recallId } = recall;
  const effectiveness = useResource('/v2/recalls/{recallId}/effectiveness', { path: { recallId } });
  return (
    <Panel title={words.progress}>
      <Stack>
        <AcknowledgedBar recall={recall} />
        <Loaded query={effectiveness}>{(data) => <Bars data={data} />}</Loaded>
      </Stack>
    </Panel>
  );
}

function Bars({ data }: { data: Effectiveness }) {
  const words = useWords(recallWords);
  const format = useFormat();
  const stock = data.stock.onHold + data.stock.disposed + data.stock.released;
  return (
    <>
      {data.delivered > 0 && (
        <StackedBar
          title={words.deliveredGoods(format.number(data.delivered))}
          total={data.delivered}
          parts={DELIVERED.map(([name, color]) => ({ label: words.fates[name], color, value: data[name] }))}
          hint={words.answered(data.answered, data.consignees)}
        />
      )}
      <StackedBar
        title={words.ownStock(format.number(stock))}
        total={stock}
        parts={STOCK.map(([name, color]) => ({ label: words.fates[name], color, value: data.stock[name] }))}
      />
    </>
  );
}

interface Part {
  label: string;
  color: string;
  value: number;
}

const ALL = 100;

/** The parts of a quantity as one bar, with their names and numbers below. */
function StackedBar({
  title,
  total,
  parts,
  hint,
}: {
  title: string;
  total: number;
  parts: readonly Part[];
  hint?: string;
}) {
  const format = useFormat();
  const said = format.list(parts.map(({ label, value }) => `${label} ${format.number(value)}`));
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Box role="img" aria-label={`${title}${format.colon}${said}`}>
        <Progress.Root size="xl" aria-hidden>
          {parts
            .filter(({ value }) => value > 0)
            .map(({ label, color, value }) => (
              <Progress.Section
                key={label}
                value={(value / Math.max(total, 1)) * ALL}
                color={color}
                withAria={false}
              />
            ))}
        </Progress.Root>
      </Box>
      <Group gap="xs">
        {parts.map(({ label, color, value }) => (
          <Group key={label} gap={6} wrap="nowrap">
            <ColorSwatch size={10} color={`var(--mantine-color-${color.replace('.', '-')})`} aria-hidden />
            <Text size="xs" {...(value === 0 ? { c: 'dimmed' } : {})}>
              {label} {format.number(value)}
            </Text>
          </Group>
        ))}
      </Group>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Stack>
  );
}
