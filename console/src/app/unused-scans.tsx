import { Anchor, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords } from '../ui/everywhere-words.js';
import { scanWords } from '../ui/scan-words.js';
import { ScanFlash } from '../ui/scanning/scan-flash.js';
import { signalScan } from '../ui/scanning/scan-signals.js';
import { useScanCapture } from '../ui/scanning/scanner.js';
import { client } from './api.js';
import { useWords } from './language.js';
import { openPaletteWith } from './palette/palette-request.js';
import { keepRecent } from './palette/recent.js';
import { queries, SESSION } from './queries.js';
import type { Session } from './session.js';

const NOTICE = 'scan';
const NOTICE_MS = 10_000;
/** The beginning of a code is enough to recognize its label. */
const SHOWN_MAX = 60;

/** Captures scans on every page. A scan that the page does not use opens the scanned record. */
export function UnusedScans() {
  const words = useWords(scanWords);
  const { close } = useWords(commonWords);
  const router = useRouter();
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
  /** Opens the record that the code identifies, or the search if there may be several. */
  const openScanned = async (code: string, { organization, user }: Session) => {
    notifications.hide(NOTICE);
    // Reading codes is not part of the first load.
    const reading = import('./palette/scanned-target.js');
    const found = await client.get('/v2/search', { query: { q: code } }).catch(() => null);
    const { scannedTarget } = await reading;
    const target = scannedTarget(code, found?.items ?? [], new Date().toISOString().slice(0, 10));
    if (target) {
      signalScan('taken');
      keepRecent(organization.code, user.userId, target);
      return router.history.push(target.href);
    }
    if (found && found.items.length > 0) {
      signalScan('doubtful');
      return openPaletteWith(code);
    }
    const open = () => {
      notifications.hide(NOTICE);
      router.navigate({ to: '/trace', search: { code } });
    };
    refuse(<Unused code={code} onTrace={user.scopes.includes('udi:read') ? open : undefined} />);
  };
  const refuse = (message: ReactNode) => {
    signalScan('refused');
    say(message);
  };
  useScanCapture({
    onUnended: () => refuse(words.unended),
    onCovered: () => refuse(words.covered),
    onUnused(code) {
      const session = queries.getQueryData<Session | null>(SESSION);
      if (!session?.user) return refuse(words.signInFirst);
      openScanned(code, session);
    },
  });
  return <ScanFlash />;
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
