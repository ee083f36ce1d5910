import './handheld.css';
import { ActionIcon, Box, Button, Group, Paper, Progress, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ChevronLeft, ChevronRight, CircleCheck, Minus, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import type { DispatchLine } from './pick-draft.js';
import { pickingWords } from './picking-words.js';

/** Small enough to hold in one hand. */
export const useIsHandheld = (): boolean => useMediaQuery('(max-width: 48em)') ?? false;

/** One line at a time: large figures, and all controls within reach of a thumb. */
export function LineCard({
  line,
  place,
  counted,
  wanted,
  label,
  children,
}: {
  line: DispatchLine;
  place: string;
  counted: number;
  wanted: number;
  /** The accessible name of the count. */
  label: string;
  children: ReactNode;
}) {
  const format = useFormat();
  const isDone = counted === wanted;
  return (
    <Paper withBorder p="md" className="line-card">
      <Text size="sm" c="dimmed">
        {place}
      </Text>
      <Title order={3} size="h3">
        {line.productName}
      </Title>
      <Text size="sm" c="dimmed">
        <CodeText>{line.productCode}</CodeText>
      </Text>
      <Group
        gap="xs"
        align="baseline"
        my="xs"
        wrap="nowrap"
        aria-live="polite"
        aria-label={label}
        role="group"
      >
        <Text component="span" className="line-count">
          {format.number(counted)}
        </Text>
        <Text component="span" fz={28} c="dimmed">
          / {format.number(wanted)} {line.unit ?? ''}
        </Text>
        {isDone && <CircleCheck size={32} aria-hidden color="var(--mantine-color-teal-6)" />}
      </Group>
      <Progress
        value={(counted / wanted) * 100}
        color={isDone ? 'teal' : undefined}
        size="lg"
        aria-label={label}
      />
      {children}
    </Paper>
  );
}

/** Buttons for one fewer, one more, or all that remains, large enough for a gloved thumb. */
export function ThumbCounter({
  name,
  byHand,
  rest,
  isFull = false,
  onSet,
}: {
  /** The batch. */
  name: string;
  byHand: number;
  /** The remaining quantity. */
  rest: number;
  isFull?: boolean;
  onSet: (byHand: number) => void;
}) {
  const words = useWords(pickingWords);
  const format = useFormat();
  return (
    <Group gap="xs" mt="sm" wrap="nowrap">
      <ActionIcon
        variant="default"
        size={52}
        aria-label={words.fewer(name)}
        disabled={byHand === 0}
        onClick={() => onSet(byHand - 1)}
      >
        <Minus size={24} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={52}
        aria-label={words.more(name)}
        disabled={isFull}
        onClick={() => onSet(byHand + 1)}
      >
        <Plus size={24} />
      </ActionIcon>
      <Button size="lg" variant="light" flex={1} disabled={rest <= 0} onClick={() => onSet(byHand + rest)}>
        {words.all(format.number(Math.max(rest, 0)))}
      </Button>
    </Group>
  );
}

/** The bar at the bottom: back, the step that ends the work, and next. A single line has neither back nor next. */
export function ThumbBar({
  at,
  count,
  onMove,
  children,
}: {
  /** Counted from 0. */
  at: number;
  count: number;
  onMove: (step: 1 | -1) => void;
  children?: ReactNode;
}) {
  const words = useWords(pickingWords);
  const isSingle = count < 2;
  if (isSingle && !children) return null;
  if (isSingle) return <Box className="thumb-bar">{children}</Box>;
  return (
    <Box className="thumb-bar">
      <ActionIcon variant="default" size={52} aria-label={words.previousLine} onClick={() => onMove(-1)}>
        <ChevronLeft size={28} />
      </ActionIcon>
      <Box flex={1} ta="center" miw={0}>
        <Text size="xs" c="dimmed" aria-live="polite">
          {words.lineOf(at + 1, count)}
        </Text>
        {children}
      </Box>
      <ActionIcon variant="default" size={52} aria-label={words.nextLine} onClick={() => onMove(1)}>
        <ChevronRight size={28} />
      </ActionIcon>
    </Box>
  );
}
