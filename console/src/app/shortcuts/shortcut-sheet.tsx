import { Box, Group, Kbd, Modal, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { allPages } from '../../features/index.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { useOpening } from '../../ui/use-opening.js';
import { useLanguage, useWords } from '../language.js';
import { isMenuPage } from '../pages.js';
import { useMay } from '../session.js';
import { shellWords } from '../shell-words.js';
import { shortcutWords } from './shortcut-words.js';
import { PAGE_KEYS } from './shortcuts.js';

/** The keyboard shortcuts and what they do, for pages that the person may see. */
export default function ShortcutSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(shortcutWords);
  const { account } = useWords(shellWords);
  const { close } = useWords(commonWords);
  const { language } = useLanguage();
  const may = useMay();
  const os = useOs();
  const command = os === 'macos' || os === 'ios' ? '⌘' : 'Ctrl';
  const pages = Object.entries(PAGE_KEYS).flatMap(([key, path]) => {
    const page = allPages.find((each) => each.path === path);
    if (!page || (page.scope !== undefined && !may(page.scope))) return [];
    return [{ key, name: isMenuPage(page) ? page.menu.name[language].name : account }];
  });
  return (
    <Modal
      opened={useOpening(opened)}
      onClose={onClose}
      title={words.title}
      size="lg"
      closeButtonProps={{ 'aria-label': close }}
    >
      <Stack>
        <Box component="dl" m={0}>
          <Shortcut name={words.search}>
            <Kbd>{command}</Kbd> <Kbd>K</Kbd>
          </Shortcut>
          <Shortcut name={words.sheet}>
            <Kbd>?</Kbd>
          </Shortcut>
          <Shortcut name={words.close}>
            <Kbd>Esc</Kbd>
          </Shortcut>
        </Box>
        <Title order={2} fz="sm">
          {words.goTo}
        </Title>
        <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }} spacing="xl" verticalSpacing={0}>
          {pages.map(({ key, name }) => (
            <Shortcut key={key} name={name}>
              <Kbd>G</Kbd>{' '}
              <Text span size="xs" c="dimmed">
                {words.next}
              </Text>{' '}
              <Kbd>{key.toUpperCase()}</Kbd>
            </Shortcut>
          ))}
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          {words.scans}
        </Text>
      </Stack>
    </Modal>
  );
}

const Shortcut = ({ name, children }: { name: string; children: ReactNode }) => (
  <Group justify="space-between" wrap="nowrap" py={4}>
    <Text component="dt" size="sm">
      {name}
    </Text>
    <Text component="dd" m={0}>
      {children}
    </Text>
  </Group>
);
