import { ActionIcon, Button, type ButtonProps, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useFormat } from '../app/format.js';
import { useWords } from '../app/language.js';
import { commonWords } from './everywhere-words.js';

/** A text with a copy button: a code, an id, a secret that is shown once. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const words = useWords(commonWords);
  const format = useFormat();
  return (
    <Group gap={6} wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere' }} fz="sm">
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? words.copied : words.copy}>
            <ActionIcon variant="subtle" onClick={copy} aria-label={`${words.copy}${format.colon}${label}`}>
              {copied ? <Check size={16} /> : <Copy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}

/** Several lines together. */
export function CopyAll({
  text,
  label,
  size = 'sm',
}: {
  text: string;
  label: string;
  size?: ButtonProps['size'];
}) {
  const words = useWords(commonWords);
  const format = useFormat();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="light"
          {...(size ? { size } : {})}
          onClick={copy}
          leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
          aria-label={`${words.copy}${format.colon}${label}`}
        >
          {copied ? words.copied : words.copy}
        </Button>
      )}
    </CopyButton>
  );
}
