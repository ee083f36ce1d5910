import { withoutLeadingSeparator } from './camera-codes.js';
import type { DecoderAnswer, DecoderRequest } from './decoder.worker.js';

/** Reads the codes in a camera image. */
export interface Decoder {
  read(video: HTMLVideoElement): Promise<string[]>;
  close(): void;
}

/** Missing in the DOM types, and only available in some browsers. */
interface Detector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** A detector without this format is useless, because most devices are marked with it. */
const NEEDED = 'data_matrix';
const WANTED = [NEEDED, 'qr_code', 'code_128', 'code_39', 'ean_13', 'itf', 'aztec'];

/** The browser's own reader if it can read device codes, otherwise one in WebAssembly, which is loaded only then. */
export async function openDecoder(): Promise<Decoder> {
  const { BarcodeDetector } = globalThis as unknown as { BarcodeDetector?: DetectorClass };
  const supported = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  if (!BarcodeDetector || !supported.includes(NEEDED)) return openWorker();
  const detector = new BarcodeDetector({ formats: WANTED.filter((each) => supported.includes(each)) });
  return {
    read: async (video) =>
      (await detector.detect(video)).map(({ rawValue }) => withoutLeadingSeparator(rawValue)),
    close() {},
  };
}

function openWorker(): Decoder {
  const worker = new Worker(new URL('./decoder.worker.ts', import.meta.url), { type: 'module' });
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const waiting = new Map<number, { resolve: (codes: string[]) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  const fail = () => {
    for (const { reject } of waiting.values()) reject(new Error('the code reader failed'));
    waiting.clear();
  };
  worker.addEventListener('error', fail);
  worker.addEventListener('message', ({ data }: MessageEvent<DecoderAnswer>) => {
    if (data.failed) return fail();
    waiting.get(data.id)?.resolve(data.codes);
    waiting.delete(data.id);
  });
  return {
    read(video) {
      const { videoWidth: width, videoHeight: height } = video;
      if (context === null || width === 0) return Promise.resolve([]);
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      context.drawImage(video, 0, 0);
      const id = ++lastId;
      const request: DecoderRequest = { id, image: context.getImageData(0, 0, width, height) };
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage(request, [request.image.data.buffer]);
      });
    },
    close: () => worker.terminate(),
  };
}
