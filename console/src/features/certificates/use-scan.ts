import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { uploadFile } from '../../app/files.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { useExplain } from '../../ui/problem.js';
import { filePath } from './file-types.js';
import { fileWords } from './file-words.js';

/** The file chosen in a form. It is uploaded after the certificate, which stays saved even if the upload fails. */
export function useScan() {
  const words = useWords(fileWords);
  const { close } = useWords(commonWords);
  const explain = useExplain();
  const [file, setFile] = useState<File | null>(null);
  return {
    field: { file, onFile: setFile },
    async uploadAfter<C extends { certificateId: string }>(saving: Promise<C>): Promise<C> {
      const saved = await saving;
      if (!file) return saved;
      try {
        await uploadFile(filePath(saved.certificateId), { file });
        setFile(null);
      } catch (error) {
        const message = words.savedWithout(explain(error));
        const closeButtonProps = { 'aria-label': close };
        notifications.show({ message, color: 'red', autoClose: false, closeButtonProps });
      }
      return saved;
    },
  };
}
