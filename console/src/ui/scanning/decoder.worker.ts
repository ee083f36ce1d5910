import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

// In a worker, because the page's policy allows no WebAssembly and this file's does, and so that decoding does not block the
// page.
prepareZXingModule({
  overrides: { locateFile: (path: string) => (path.endsWith('.wasm') ? wasmUrl : path) },
});

export interface DecoderRequest {
  id: number;
  image: ImageData;
}
export interface DecoderAnswer {
  id: number;
  codes: string[];
  failed?: true;
}

self.addEventListener('message', async ({ data: { id, image } }: MessageEvent<DecoderRequest>) => {
  try {
    const found = await readBarcodes(image, {
      formats: ['DataMatrix', 'QRCode', 'Code128', 'Code39', 'EAN13', 'ITF', 'Aztec'],
      textMode: 'Plain',
      maxNumberOfSymbols: 4,
    });
    const codes = found
      .filter((each) => each.isValid)
      .map((each) => `${each.symbologyIdentifier}${each.text}`);
    self.postMessage({ id, codes } satisfies DecoderAnswer);
  } catch {
    self.postMessage({ id, codes: [], failed: true } satisfies DecoderAnswer);
  }
});
