import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where a server runs while the console is worked on: `npm run dev --workspace console`. */
const SERVER = process.env.LOTWARD_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // What is written into the style sheet everybody loads, and the server allows fonts only from itself.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
    reportCompressedSize: false,
    // What almost every page needs comes in one piece: each of many small ones costs a request.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', minShareCount: 25 }] } } },
    chunkSizeWarningLimit: 700,
  },
  server: {
    proxy: Object.fromEntries(
      ['/v2', '/stream', '/exports', '/labels', '/oauth', '/docs'].map((path) => [path, SERVER]),
    ),
  },
});
