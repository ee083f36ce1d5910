import { Alert, Button, Group, Text } from '@mantine/core';
import { History } from 'lucide-react';
import type { Draft } from '../app/draft.js';
import { useFormat } from '../app/format.js';
import { dictionary, useWords } from '../app/language.js';

const draftWords = dictionary(
  {
    restored: (when: string) => `Draft restored: unsaved entries from ${when}.`,
    discard: 'Discard draft',
  },
  {
    restored: (when: string) => `已恢复草稿：${when} 未保存的录入内容。`,
    discard: '放弃草稿',
  },
);

/** Says that what is shown was entered earlier, and offers to begin anew. */
export function DraftNotice({ draft }: { draft: Pick<Draft<unknown>, 'restoredFrom' | 'discard'> }) {
  const words = useWords(draftWords);
  const format = useFormat();
  if (draft.restoredFrom === null) return null;
  const when = format.instant(new Date(draft.restoredFrom).toISOString());
  return (
    <Alert color="blue" py="xs" icon={<History size={18} />} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{words.restored(when)}</Text>
        <Button variant="default" size="compact-sm" onClick={draft.discard}>
          {words.discard}
        </Button>
      </Group>
    </Alert>
  );
}
