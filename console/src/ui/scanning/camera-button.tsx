import { ActionIcon, Modal } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Camera } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useWords } from '../../app/language.js';
import { commonWords } from '../everywhere-words.js';
import { scanWords } from '../scan-words.js';

const CameraView = lazy(() => import('./camera-view.js'));

/** Offers the camera as a scanner on handheld devices. */
export function CameraButton({
  onCode,
  feedback,
}: {
  onCode: (code: string) => void | Promise<void>;
  feedback: ReactNode;
}) {
  const words = useWords(scanWords);
  const { close: closeLabel } = useWords(commonWords);
  const [opened, { open, close }] = useDisclosure();
  const isHandheld = useMediaQuery('(pointer: coarse)');
  // Missing on a page without encryption.
  if (!isHandheld || !navigator.mediaDevices) return null;
  return (
    <>
      <ActionIcon variant="filled" size={36} aria-label={words.camera} title={words.camera} onClick={open}>
        <Camera size={20} />
      </ActionIcon>
      <Modal
        opened={opened}
        onClose={close}
        title={words.camera}
        fullScreen
        closeButtonProps={{ 'aria-label': closeLabel }}
      >
        <Suspense fallback={words.cameraStarting}>
          {opened && <CameraView onCode={onCode} />}
          {feedback}
        </Suspense>
      </Modal>
    </>
  );
}
