import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useArrival } from '../app/arrival.js';

/** An empty state, with its reason and the next step. */
export function Empty({
  title,
  hint,
  icon: Icon = Inbox,
  isPage = false,
  children,
}: {
  title: string;
  hint?: string | undefined;
  icon?: LucideIcon;
  /** Shown instead of a whole page: the title is its heading. */
  isPage?: boolean;
  children?: ReactNode;
}) {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw={420}>
        <ThemeIcon size={48} radius="xl" variant="light" color="gray">
          <Icon size={24} />
        </ThemeIcon>
        {isPage ? <PageTitle title={title} /> : <Text fw={600}>{title}</Text>}
        {hint && (
          <Text size="sm" c="dimmed" ta="center">
            {hint}
          </Text>
        )}
        {children}
      </Stack>
    </Center>
  );
}

function PageTitle({ title }: { title: string }) {
  return (
    <Title order={1} fz="lg" ta="center" ref={useArrival(title)} tabIndex={-1}>
      {title}
    </Title>
  );
}
