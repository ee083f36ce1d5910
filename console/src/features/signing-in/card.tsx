import { Box, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { LanguageMenu, ThemeMenu } from '../../app/menus.js';
import { AwayBanner } from '../../ui/away-banner.js';

/** Whether the sign-in steps are shown in a window over a page instead of as a page. */
export const InWindow = createContext(false);

interface CardProps {
  title: string;
  hint?: string;
  children: ReactNode;
}

/** The frame of every sign-in step. */
export function Card(props: CardProps) {
  const { title, hint, children } = props;
  if (!useContext(InWindow)) return <CardPage {...props} />;
  return (
    <Stack component="section" aria-label={title}>
      {hint && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      {children}
    </Stack>
  );
}

function CardPage({ title, hint, children }: CardProps) {
  useEffect(() => {
    document.title = `${title} – Lotward`;
  }, [title]);
  return (
    <Box component="main" mih="100vh">
      <AwayBanner />
      <Group justify="flex-end" p="xs" gap={4}>
        <LanguageMenu />
        <ThemeMenu />
      </Group>
      <Center px="md" pb="xl" pt={{ base: 'sm', sm: '6vh' }}>
        <Paper withBorder p={{ base: 'md', sm: 'xl' }} w="100%" maw={440} shadow="sm">
          <Stack>
            <Group gap="sm">
              <img src="/favicon.svg" width={32} height={32} alt="" />
              <Title order={1} fz="xl">
                {title}
              </Title>
            </Group>
            {hint && (
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            )}
            {children}
          </Stack>
        </Paper>
      </Center>
    </Box>
  );
}
