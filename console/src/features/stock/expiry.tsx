import { Group, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { daysUntil } from '../../ui/days-until.js';
import { stockWords } from './stock-words.js';

/** The service's default for a product without its own setting. */
const NEAR_DAYS = 180;

export const isExpired = (date: string | null): boolean => date !== null && daysUntil(date) < 0;

/** An expiry date, with its urgency in words; the color is only an extra hint. */
export function Expiry({ date, nearDays = NEAR_DAYS }: { date: string | null; nearDays?: number }) {
  const words = useWords(stockWords);
  const format = useFormat();
  if (date === null)
    return (
      <Text size="sm" c="dimmed" component="span">
        {words.noExpiry}
      </Text>
    );
  const days = daysUntil(date);
  const said =
    days < 0 ? words.expired : days === 0 ? words.expiresToday : words.daysLeft(format.number(days));
  const color = days < 0 ? 'red' : days <= nearDays ? 'orange' : 'dimmed';
  return (
    <Group gap={6} wrap="wrap" component="span" style={{ display: 'inline-flex' }}>
      <Text size="sm" component="span" style={{ whiteSpace: 'nowrap' }}>
        {format.day(date)}
      </Text>
      <Text
        size="xs"
        component="span"
        fw={color === 'dimmed' ? 400 : 600}
        // Orange and red need more contrast as text than as badge colors.
        c={
          color === 'dimmed'
            ? 'dimmed'
            : `light-dark(var(--mantine-color-${color}-light-color), var(--mantine-color-${color}-4))`
        }
      >
        {said}
      </Text>
    </Group>
  );
}
