import { ActionIcon, Button, Kbd, Text } from '@mantine/core';
import { useDisclosure, useHotkeys, useOs } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useWasOpened } from '../../ui/use-opening.js';
import { useWords } from '../language.js';
import { loadable } from '../page-errors.js';
import { preloadOnFirstInput } from '../preload.js';
import { usePaletteRequests } from './palette-request.js';
import { paletteWords } from './palette-words.js';

const load = () => import('./palette.js');
const Palette = loadable(load);
preloadOnFirstInput(load);

const APPLE: readonly string[] = ['macos', 'ios'];

/** The search in the header, with the shortcut that opens it from anywhere. */
export function PaletteButton() {
  const words = useWords(paletteWords);
  const [opened, { open, close }] = useDisclosure();
  const [requested, setRequested] = useState('');
  const wasOpened = useWasOpened(opened);
  const end = () => {
    setRequested('');
    close();
  };
  usePaletteRequests((text) => {
    setRequested(text);
    open();
  });
  const shortcut = APPLE.includes(useOs()) ? '⌘ K' : 'Ctrl K';
  const toggle = () => {
    if (opened) end();
    // The palette would cover a form in a window, which would then be left without warning.
    else if (document.querySelector('[role="dialog"][aria-modal="true"]') === null) open();
  };
  useHotkeys([['mod+K', toggle]], [], true);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        radius="md"
        fw={400}
        onClick={open}
        visibleFrom="sm"
        leftSection={<Search size={16} />}
        rightSection={<Kbd size="xs">{shortcut}</Kbd>}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Text span size="sm" c="dimmed">
          {words.open}
        </Text>
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        onClick={open}
        hiddenFrom="sm"
        aria-label={words.open}
      >
        <Search size={20} />
      </ActionIcon>
      <Suspense>{wasOpened && <Palette opened={opened} onClose={end} text={requested} />}</Suspense>
    </>
  );
}
