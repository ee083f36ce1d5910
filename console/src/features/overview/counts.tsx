import { Box, SimpleGrid, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { BoxLink } from '../../ui/links.js';
import classes from './counts.module.css';

export interface Count {
  name: string;
  count: number;
  /** Where those counted are listed. */
  to?: string;
  search?: Readonly<Record<string, string>>;
  /** Somebody should look. */
  isUrgent?: boolean;
}

/** Counts, each with a link to its list. */
export const Counts = ({ counts }: { counts: readonly Count[] }) => (
  <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs">
    {counts.map((each) => (
      <CountBox key={each.name} {...each} />
    ))}
  </SimpleGrid>
);

function CountBox({ name, count, to, search, isUrgent }: Count) {
  const format = useFormat();
  const inside = (
    <>
      <Text component="span" display="block" size="xl" fw={650} lh={1.2}>
        {format.number(count)}
      </Text>
      <Text component="span" display="block" size="sm" c="dimmed">
        {name}
      </Text>
    </>
  );
  const looks = { className: classes.count, 'data-urgent': (isUrgent && count > 0) || undefined };
  if (to === undefined)
    return (
      <Box {...looks} p="xs">
        {inside}
      </Box>
    );
  return (
    <BoxLink to={to} search={search ?? {}} p="xs" {...looks}>
      {inside}
    </BoxLink>
  );
}
