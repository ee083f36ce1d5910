import { Alert, Button, Group, Text } from '@mantine/core';
import { History } from 'lucide-react';
import { useState } from 'react';
import { useFormat } from '../app/format.js';
import { dictionary, useWords } from '../app/language.js';

const draftWords = dictionary(
  {
    restored: (when: string) => `Draft restored: unsaved entries from ${when}.`,
    proceed: 'Continue',
    discard: 'Discard draft',
  },
  {
    restored: (when: string) => `已恢复草稿：${when} 未保存的录入内容。`,
    proceed: '继续录入',
    discard: '放弃草稿',
  },
);

/** Shows that the page contains entries of an earlier visit, and offers to discard them. */
export function DraftNotice({
  restoredFrom,
  onDiscard,
}: {
  restoredFrom: number | null;
  onDiscard: () => void;
}) {
  const words = useWords(draftWords);
  const format = useFormat();
  const [seen, setSeen] = useState<number | null>(null);
  if (restoredFrom === null || restoredFrom === seen) return null;
  const when = format.instant(new Date(restoredFrom).toISOString());
  return (
    <Alert color="blue" py="xs" icon={<History size={18} />} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{words.restored(when)}</Text>
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={onDiscard}>
            {words.discard}
          </Button>
          <Button size="compact-sm" onClick={() => setSeen(restoredFrom)}>
            {words.proceed}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
