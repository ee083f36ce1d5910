import { useSyncExternalStore } from 'react';

/** The outcome of a scan: counted, refused, or counted only after a question. */
export type ScanOutcome = 'taken' | 'refused' | 'doubtful';

interface Tone {
  hertz: number;
  atMs: number;
  lastsMs: number;
  wave: OscillatorType;
}

/**
 * Tones differ in number, pitch and timbre, so that nobody has to look, and so that people with hearing loss on one side can
 * tell them apart.
 */
const TONES: Readonly<Record<ScanOutcome, readonly Tone[]>> = {
  taken: [{ hertz: 1_320, atMs: 0, lastsMs: 70, wave: 'sine' }],
  doubtful: [
    { hertz: 740, atMs: 0, lastsMs: 90, wave: 'triangle' },
    { hertz: 740, atMs: 150, lastsMs: 90, wave: 'triangle' },
  ],
  refused: [
    { hertz: 210, atMs: 0, lastsMs: 160, wave: 'square' },
    { hertz: 165, atMs: 180, lastsMs: 260, wave: 'square' },
  ],
};

const VOLUME = 0.12;
/** Fades in and out without a click. */
const RAMP_S = 0.008;
const MS = 1_000;
const MUTED_AS = 'lotward.scan-sounds';

let context: AudioContext | null = null;

function play(outcome: ScanOutcome): void {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // Browsers keep audio silent until the first key or touch.
  context.resume().catch(() => {});
  for (const { hertz, atMs, lastsMs, wave } of TONES[outcome]) {
    const startS = context.currentTime + atMs / MS;
    const endS = startS + lastsMs / MS;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, startS);
    gain.gain.linearRampToValueAtTime(VOLUME, startS + RAMP_S);
    gain.gain.setValueAtTime(VOLUME, endS - RAMP_S);
    gain.gain.linearRampToValueAtTime(0, endS);
    gain.connect(context.destination);
    const oscillator = new OscillatorNode(context, { type: wave, frequency: hertz });
    oscillator.connect(gain);
    oscillator.start(startS);
    oscillator.stop(endS);
  }
}

const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

interface Flash {
  outcome: ScanOutcome;
  /** A counter, so that two equal outcomes in a row flash twice. */
  no: number;
}
let flash: Flash | null = null;
const isMuted = (): boolean => localStorage.getItem(MUTED_AS) === 'off';

/** Signals the outcome of a scan by sound and light. */
export function signalScan(outcome: ScanOutcome): void {
  if (!isMuted()) play(outcome);
  flash = { outcome, no: (flash?.no ?? 0) + 1 };
  for (const listener of listeners) listener();
}

export const useScanFlash = (): Flash | null => useSyncExternalStore(subscribe, () => flash);

/** Whether scans are silent; kept in this browser, for everybody at this device. */
export function useMuted(): [muted: boolean, setMuted: (muted: boolean) => void] {
  const muted = useSyncExternalStore(subscribe, isMuted);
  return [
    muted,
    (next) => {
      if (next) localStorage.setItem(MUTED_AS, 'off');
      else localStorage.removeItem(MUTED_AS);
      for (const listener of listeners) listener();
    },
  ];
}
