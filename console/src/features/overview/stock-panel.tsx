import { Progress, Stack } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { Panel } from '../../ui/page.js';
import { Counts } from './counts.js';
import type { Overview } from './overview-data.js';
import { overviewWords } from './overview-words.js';

const ALL = 100;
const PARTS = [
  ['available', 'teal'],
  ['reserved', 'blue'],
  ['blocked', 'orange'],
] as const;

export function StockPanel({ stock }: { stock: NonNullable<Overview['stock']> }) {
  const words = useWords(overviewWords);
  const format = useFormat();
  if (stock.total === 0)
    return (
      <Panel title={words.stock}>
        <Empty title={words.noStock} hint={words.noStockHint} />
      </Panel>
    );
  return (
    <Panel
      title={words.stock}
      hint={words.stockHint(format.number(stock.total), format.number(stock.products))}
    >
      <Stack>
        <Progress.Root size={18}>
          {PARTS.map(([part, color]) => (
            <Progress.Section
              key={part}
              value={(stock[part] / stock.total) * ALL}
              color={color}
              aria-label={`${words[part]}: ${format.number(stock[part])}`}
            />
          ))}
        </Progress.Root>
        <Counts counts={PARTS.map(([part]) => ({ name: words[part], count: stock[part] }))} />
      </Stack>
    </Panel>
  );
}
