import { FileInput, Stack, Text, TextInput } from '@mantine/core';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import type { FormState } from '../../ui/form.js';
import { certificateWords } from './certificate-words.js';
import { FILE_TYPES, fileFault } from './file-types.js';
import { fileWords } from './file-words.js';
import { fingerprintOf } from './fingerprint.js';

export interface DocumentValues {
  documentUrl: string;
  documentHash: string;
}

/** The file, which is uploaded after the certificate is saved, its fingerprint, and where else the document is kept. */
export function DocumentFields<V extends DocumentValues>({
  form,
  file,
  onFile,
}: {
  form: FormState<V>;
  file: File | null;
  onFile: (file: File | null) => void;
}) {
  const words = useWords(certificateWords);
  const ofFiles = useWords(fileWords);
  const common = useWords(commonWords);
  const [isHashing, setHashing] = useState(false);
  const [fault, setFault] = useState<'wrongType' | 'tooLarge' | null>(null);
  const choose = async (chosen: File | null) => {
    const found = chosen && fileFault(chosen);
    setFault(found);
    onFile(found === null ? chosen : null);
    if (!chosen || found !== null) return;
    setHashing(true);
    const documentHash = await fingerprintOf(chosen).finally(() => setHashing(false));
    form.set({ documentHash } as Partial<V>);
  };
  return (
    <Stack gap="sm">
      <FileInput
        label={words.documentFile}
        description={`${ofFiles.limits} ${ofFiles.uploadOnSave}`}
        accept={FILE_TYPES.join(',')}
        error={fault && ofFiles[fault]}
        leftSection={<FileText size={16} />}
        placeholder={ofFiles.choose}
        value={file}
        onChange={choose}
        clearable
        clearButtonProps={{ 'aria-label': common.remove }}
      />
      <TextInput
        label={words.documentUrl}
        description={words.documentUrlHint}
        type="url"
        maxLength={2000}
        {...form.text('documentUrl')}
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
