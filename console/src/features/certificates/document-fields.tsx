import { FileInput, Stack, Text, TextInput } from '@mantine/core';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import type { FormState } from '../../ui/form.js';
import { certificateWords } from './certificate-words.js';
import { fingerprintOf } from './fingerprint.js';

export interface DocumentValues {
  documentUrl: string;
  documentHash: string;
}

/** Where the document is, and how to know it again: the service keeps both, and not the file. */
export function DocumentFields<V extends DocumentValues>({ form }: { form: FormState<V> }) {
  const words = useWords(certificateWords);
  const common = useWords(commonWords);
  const [file, setFile] = useState<File | null>(null);
  const [isHashing, setHashing] = useState(false);
  const choose = async (chosen: File | null) => {
    setFile(chosen);
    if (!chosen) return;
    setHashing(true);
    const documentHash = await fingerprintOf(chosen).finally(() => setHashing(false));
    form.set({ documentHash } as Partial<V>);
  };
  return (
    <Stack gap="sm">
      <TextInput
        label={words.documentUrl}
        description={words.documentUrlHint}
        type="url"
        maxLength={2000}
        {...form.text('documentUrl')}
      />
      <FileInput
        label={words.documentFile}
        description={words.documentFileHint}
        leftSection={<FileText size={16} />}
        placeholder={words.documentFile}
        value={file}
        onChange={choose}
        clearable
        clearButtonProps={{ 'aria-label': common.remove }}
      />
      <TextInput
        label={words.documentHash}
        maxLength={160}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        {...form.text('documentHash')}
      />
      <Text size="xs" c="dimmed" aria-live="polite">
        {isHashing ? words.hashing : ''}
      </Text>
    </Stack>
  );
}
