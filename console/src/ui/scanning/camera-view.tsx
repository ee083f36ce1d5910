import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { Flashlight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../../app/language.js';
import { scanWords } from '../scan-words.js';
import { SeenCodes } from './camera-codes.js';
import { type Decoder, openDecoder } from './decoder.js';

type Failure = 'cameraDenied' | 'cameraMissing' | 'cameraFailed';

const failureOf = (error: unknown): Failure => {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'cameraDenied';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'cameraMissing' : 'cameraFailed';
};

/** Small codes need this resolution; a higher one takes too long to read on a phone. */
const CONSTRAINTS: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: { ideal: 'environment' }, width: { ideal: 1_280 }, height: { ideal: 720 } },
};
const PAUSE_MS = 120;

/** The camera image. Passes on every code in it once. */
export default function CameraView({ onCode }: { onCode: (code: string) => void | Promise<void> }) {
  const words = useWords(scanWords);
  const video = useRef<HTMLVideoElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    const stop = new AbortController();
    if (video.current)
      scanWith(video.current, stop.signal, setTrack, (code) => latest.current(code)).catch(
        (error: unknown) => {
          if (!stop.signal.aborted) setFailure(failureOf(error));
        },
      );
    return () => stop.abort();
  }, []);
  if (failure) return <Alert color="red">{words[failure]}</Alert>;
  return (
    <>
      <Box pos="relative" style={{ borderRadius: 8, overflow: 'hidden', background: '#000' }}>
        <video
          ref={video}
          playsInline
          muted
          autoPlay
          aria-label={words.camera}
          style={{ display: 'block', width: '100%', height: '62dvh', objectFit: 'cover' }}
        />
        <Box
          aria-hidden
          pos="absolute"
          style={{ inset: '22% 12%', border: '3px solid rgb(255 255 255 / 80%)', borderRadius: 12 }}
        />
      </Box>
      <Group justify="space-between" my="xs" wrap="nowrap">
        <Text size="sm">{track ? words.cameraHint : words.cameraStarting}</Text>
        <Torch track={track} />
      </Group>
    </>
  );
}

/** Reads codes from the camera until it is stopped. Passes them on one after the other. */
async function scanWith(
  video: HTMLVideoElement,
  signal: AbortSignal,
  onStart: (track: MediaStreamTrack | null) => void,
  onCode: (code: string) => void | Promise<void>,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia(CONSTRAINTS);
  let decoder: Decoder | null = null;
  const seen = new SeenCodes();
  try {
    if (signal.aborted) return;
    video.srcObject = stream;
    await video.play();
    decoder = await openDecoder();
    onStart(stream.getVideoTracks()[0] ?? null);
    while (!signal.aborted) {
      const codes = await decoder.read(video);
      for (const code of seen.fresh(codes, performance.now())) if (!signal.aborted) await onCode(code);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    for (const each of stream.getTracks()) each.stop();
    decoder?.close();
  }
}

/** Missing in the DOM types; phones with a light have it. */
type WithTorch = MediaTrackCapabilities & { torch?: boolean };

function Torch({ track }: { track: MediaStreamTrack | null }) {
  const words = useWords(scanWords);
  const [isOn, setOn] = useState(false);
  if (!track || !(track.getCapabilities?.() as WithTorch | undefined)?.torch) return null;
  const toggle = async () => {
    await track.applyConstraints({ advanced: [{ torch: !isOn } as MediaTrackConstraintSet] });
    setOn(!isOn);
  };
  return (
    <Button variant="default" aria-pressed={isOn} leftSection={<Flashlight size={16} />} onClick={toggle}>
      {words.torch}
    </Button>
  );
}
