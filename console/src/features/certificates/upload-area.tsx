import { Alert, Box, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { FileUp, Trash2 } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { removeFile, uploadFile } from '../../app/files.js';
import { useWords } from '../../app/language.js';
import { AskedButton, AskedWindow } from '../../ui/action.js';
import { Problem } from '../../ui/problem.js';
import { useAction } from '../../ui/use-action.js';
import styles from './file.module.css';
import { FILE_TYPES, fileFault, filePath, type StoredFile } from './file-types.js';
import { fileWords } from './file-words.js';

/** The area for dropping or choosing a file. Replacing a stored file needs confirmation. */
export function UploadArea({ certificateId, stored }: { certificateId: string; stored: StoredFile | null }) {
  const words = useWords(fileWords);
  const path = filePath(certificateId);
  const upload = useUpload(path);
  const [fault, setFault] = useState<'wrongType' | 'tooLarge' | null>(null);
  const [asked, setAsked] = useState<File | null>(null);
  const take = (file: File | null | undefined) => {
    if (!file || upload.isPending) return;
    const found = fileFault(file);
    setFault(found);
    if (found !== null) return;
    if (stored) setAsked(file);
    else upload.start(file);
  };
  return (
    <Stack gap="sm">
      <DropArea onDrop={take}>
        <Group justify="space-between" gap="sm">
          <Box>
            <Text size="sm" visibleFrom="sm">
              {words.drop}
            </Text>
            <Text size="sm" hiddenFrom="sm">
              {words.photo}
            </Text>
            <Text size="xs" c="dimmed">
              {words.limits}
            </Text>
          </Box>
          <Group gap="xs">
            <FileButton accept={FILE_TYPES.join(',')} onChange={take}>
              {(props) => (
                <Button
                  variant={stored ? 'default' : 'filled'}
                  leftSection={<FileUp size={16} />}
                  disabled={upload.isPending}
                  {...props}
                >
                  {stored ? words.replace : words.upload}
                </Button>
              )}
            </FileButton>
            {stored && (
              <AskedButton
                label={words.remove}
                question={words.removeQuestion(stored.fileName)}
                icon={<Trash2 size={16} />}
                danger
                run={() => removeFile(path)}
                done={words.removed}
                disabled={upload.isPending}
              />
            )}
          </Group>
        </Group>
      </DropArea>
      {fault && (
        <Alert color="red" role="alert">
          {words[fault]}
        </Alert>
      )}
      {upload.progress}
      {stored && (
        <AskedWindow
          opened={asked !== null}
          onClose={() => setAsked(null)}
          label={words.replace}
          question={words.replaceQuestion(stored.fileName)}
          run={() => (asked ? uploadFile(path, { file: asked }) : Promise.resolve())}
          done={words.uploaded}
        />
      )}
    </Stack>
  );
}

/** An upload in progress, with its progress and a way to cancel it. */
function useUpload(path: string) {
  const words = useWords(fileWords);
  const [share, setShare] = useState(0);
  const controller = useRef<AbortController | null>(null);
  const action = useAction({
    run: (file: File) => {
      controller.current = new AbortController();
      setShare(0);
      return uploadFile(path, { file, onProgress: setShare, signal: controller.current.signal });
    },
    done: words.uploaded,
    quiet: true,
  });
  const percent = Math.round(share * 100);
  const isCancelled = controller.current?.signal.aborted ?? false;
  return {
    isPending: action.isPending,
    start: (file: File) => action.mutate(file),
    progress: action.isPending ? (
      <Group gap="sm">
        <Box flex={1}>
          <Text size="sm" role="status">
            {words.uploading(action.variables.name, percent)}
          </Text>
          <Progress value={percent} aria-label={words.progress} />
        </Box>
        <Button size="xs" variant="default" onClick={() => controller.current?.abort()}>
          {words.cancel}
        </Button>
      </Group>
    ) : (
      action.isError && !isCancelled && <Problem error={action.error} action={words.upload} />
    ),
  };
}

function DropArea({ onDrop, children }: { onDrop: (file: File | undefined) => void; children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  const handle = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over);
  };
  return (
    <Box
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={handle(true)}
      onDragLeave={handle(false)}
      onDrop={(event) => {
        handle(false)(event);
        onDrop(event.dataTransfer.files[0]);
      }}
    >
      {children}
    </Box>
  );
}
