import { Box, SimpleGrid, Text } from '@mantine/core';
import { CalendarCheck2 } from 'lucide-react';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { Panel } from '../../ui/page.js';
import classes from './expiry-heat-map.module.css';
import type { Overview } from './overview-data.js';
import { overviewWords } from './overview-words.js';

type Month = NonNullable<Overview['stock']>['nearExpiry'][number];

/** Stock by the month it expires in; the darker, the more, and always with its number. */
export function ExpiryHeatMap({ months }: { months: readonly Month[] }) {
  const words = useWords(overviewWords);
  const most = Math.max(...months.map(({ quantity }) => quantity), 0);
  return (
    <Panel title={words.nearExpiry} hint={words.nearExpiryHint}>
      {most === 0 ? (
        <Empty title={words.noneExpiring} icon={CalendarCheck2} />
      ) : (
        <SimpleGrid cols={{ base: 3, xs: 4, sm: 6, lg: 4 }} spacing={6} component="ul" p={0} m={0}>
          {months.map((month) => (
            <MonthCell key={month.month} month={month} share={month.quantity / most} />
          ))}
        </SimpleGrid>
      )}
    </Panel>
  );
}

/** The strongest tint leaves the numbers on it readable. */
const TINT_MAX = 36;
const TINT_MIN = 5;

function MonthCell({ month: { month, batches, quantity }, share }: { month: Month; share: number }) {
  const words = useWords(overviewWords);
  const format = useFormat();
  const { language } = useLanguage();
  const at = Date.parse(`${month}-01`);
  const name = new Intl.DateTimeFormat(language, { month: 'short', year: '2-digit', timeZone: 'UTC' });
  const tint = quantity === 0 ? 0 : TINT_MIN + (TINT_MAX - TINT_MIN) * share;
  const said = words.monthSays(name.format(at), format.number(quantity), words.batches(batches));
  return (
    <Box
      component="li"
      className={classes.month}
      title={said}
      style={{ '--tint': `${Math.round(tint)}%` } as React.CSSProperties}
    >
      <Text size="xs">{name.format(at)}</Text>
      <Text fw={650}>{format.number(quantity)}</Text>
      <Text size="xs">{words.batches(batches)}</Text>
    </Box>
  );
}
