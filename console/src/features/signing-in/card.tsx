import { Box, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { LanguageMenu, ThemeMenu } from '../../app/menus.js';

/** The frame of every page shown before sign-in. */
export function Card({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – Lotward`;
  }, [title]);
  return (
    <Box component="main" mih="100vh">
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
