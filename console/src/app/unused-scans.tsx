import { Anchor, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords } from '../ui/everywhere-words.js';
import { scanWords } from '../ui/scan-words.js';
import { useScanCapture } from '../ui/scanning/scanner.js';
import { useWords } from './language.js';
import { queries, SESSION } from './queries.js';
import type { Session } from './session.js';

const NOTICE = 'scan';
const NOTICE_MS = 10_000;
/** A label is recognised by how its code begins. */
const SHOWN_MAX = 60;

/** Captures scans on every page and reports those that the page does not use. */
export function UnusedScans() {
  const words = useWords(scanWords);
  const { close } = useWords(commonWords);
  const navigate = useNavigate();
  const say = (message: ReactNode) => {
    // Only the newest code is of interest.
    notifications.hide(NOTICE);
    notifications.show({
      id: NOTICE,
      message,
      color: 'orange',
      autoClose: NOTICE_MS,
      closeButtonProps: { 'aria-label': close },
    });
  };
  useScanCapture({
    onUnended: () => say(words.unended),
    onCovered: () => say(words.covered),
    onUnused(code) {
      const session = queries.getQueryData<Session | null>(SESSION);
      if (!session?.user) return say(words.signInFirst);
      const open = () => {
        notifications.hide(NOTICE);
        navigate({ to: '/trace', search: { code } });
      };
      say(<Unused code={code} onTrace={session.user.scopes.includes('udi:read') ? open : undefined} />);
    },
  });
  return null;
}

function Unused({ code, onTrace }: { code: string; onTrace: (() => void) | undefined }) {
  const words = useWords(scanWords);
  const shown = code.replaceAll('\u001d', ' ');
  return (
    <Stack gap={2}>
      <Text size="sm">{words.unused}</Text>
      <Text size="xs" className="code">
        {shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}…` : shown}
      </Text>
      {onTrace && (
        <Anchor
          size="sm"
          href={`/trace?${new URLSearchParams({ code })}`}
          onClick={(event) => {
            event.preventDefault();
            onTrace();
          }}
        >
          {words.trace}
        </Anchor>
      )}
    </Stack>
  );
}
