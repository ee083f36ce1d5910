import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { CircleAlert, CircleCheck, ScanBarcode } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../app/language.js';
import { CODE_INPUT } from './code-text.js';
import { scanWords } from './scan-words.js';
import { useScanner } from './scanning/scanner.js';

export interface ScanFeedback {
  ok: boolean;
  text: string;
}

/** Takes codes from a scanner anywhere on the page, or typed, and shows the result of the last one. */
export function ScanBox({
  onCode,
  feedback,
}: {
  onCode: (code: string) => void | Promise<void>;
  feedback: ScanFeedback | null;
}) {
  const words = useWords(scanWords);
  const [text, setText] = useState('');
  useScanner(onCode);
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
          description={words.scanHint}
          leftSection={<ScanBarcode size={18} />}
          style={{ flex: 1 }}
          maw={520}
          value={text}
          maxLength={2048}
          {...CODE_INPUT}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // The form around it is not ready because a code is.
            event.preventDefault();
            take();
          }}
        />
        <Button variant="default" onClick={take}>
          {words.add}
        </Button>
      </Group>
      <div aria-live="polite">
        {feedback && (
          <Alert
            py="xs"
            color={feedback.ok ? 'teal' : 'red'}
            icon={feedback.ok ? <CircleCheck size={18} /> : <CircleAlert size={18} />}
          >
            {feedback.text}
          </Alert>
        )}
      </div>
    </Stack>
  );
}
