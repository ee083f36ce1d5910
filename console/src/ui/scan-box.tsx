import { ActionIcon, Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { CircleAlert, CircleCheck, CircleQuestionMark, ScanBarcode, Volume2, VolumeX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../app/language.js';
import { CODE_INPUT } from './code-text.js';
import { scanWords } from './scan-words.js';
import { CameraButton } from './scanning/camera-button.js';
import { type ScanOutcome, signalScan, useMuted } from './scanning/scan-signals.js';
import { useScanner } from './scanning/scanner.js';

export interface ScanFeedback {
  ok: boolean;
  /** Not counted yet: the person must answer a question first. */
  isDoubtful?: true;
  text: string;
}

const outcomeOf = ({ ok, isDoubtful }: ScanFeedback): ScanOutcome =>
  isDoubtful ? 'doubtful' : ok ? 'taken' : 'refused';

const LOOKS = {
  taken: { color: 'teal', icon: CircleCheck },
  doubtful: { color: 'orange', icon: CircleQuestionMark },
  refused: { color: 'red', icon: CircleAlert },
} as const;

/** Takes codes that are scanned anywhere on the page, read by the camera, or typed, and shows the result of the last one. */
export function ScanBox({
  onCode,
  feedback,
}: {
  onCode: (code: string) => void | Promise<void>;
  feedback: ScanFeedback | null;
}) {
  const words = useWords(scanWords);
  const [text, setText] = useState('');
  // On a handheld every line of the screen is needed for the goods.
  const isNarrow = useMediaQuery('(max-width: 48em)');
  useScanner(onCode);
  useSignals(feedback);
  const take = () => {
    const code = text.trim();
    // The check character of a HIBC code may be a space.
    if (code !== '') onCode(code.startsWith('+') ? text.trimStart() : code);
    setText('');
  };
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label={words.scan}
          description={isNarrow ? undefined : words.scanHint}
          leftSection={<ScanBarcode size={18} />}
          style={{ flex: 1 }}
          maw={520}
          value={text}
          maxLength={2048}
          {...CODE_INPUT}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // A code does not submit the surrounding form.
            event.preventDefault();
            take();
          }}
        />
        {(!isNarrow || text !== '') && (
          <Button variant="default" onClick={take}>
            {words.add}
          </Button>
        )}
        <CameraButton onCode={onCode} feedback={<Feedback feedback={feedback} />} />
        <MuteButton />
      </Group>
      <Feedback feedback={feedback} />
    </Stack>
  );
}

/** Signals each new result once, but not the one that was there before. */
function useSignals(feedback: ScanFeedback | null): void {
  const signalled = useRef(feedback);
  useEffect(() => {
    if (feedback !== null && feedback !== signalled.current) signalScan(outcomeOf(feedback));
    signalled.current = feedback;
  }, [feedback]);
}

function Feedback({ feedback }: { feedback: ScanFeedback | null }) {
  if (feedback === null) return <div aria-live="polite" />;
  const { color, icon: Icon } = LOOKS[outcomeOf(feedback)];
  return (
    <div aria-live="polite">
      <Alert py="xs" color={color} icon={<Icon size={18} />}>
        {feedback.text}
      </Alert>
    </div>
  );
}

function MuteButton() {
  const words = useWords(scanWords);
  const [muted, setMuted] = useMuted();
  const label = muted ? words.unmute : words.mute;
  return (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={label}
      title={label}
      aria-pressed={muted}
      onClick={() => setMuted(!muted)}
    >
      {muted ? <VolumeX size={18} /> : <Volume2 size={18} />}
    </ActionIcon>
  );
}
