import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mantineStyles } from './mantine-styles.js';

/** Where a server runs while the console is worked on: `npm run dev --workspace console`. */
const SERVER = process.env.LOTWARD_URL ?? 'http://127.0.0.1:8080';

const FORMS = new RegExp(
  [
    '@mantine/form/',
    '@mantine/core/esm/components/(Combobox|Modal|ModalBase|NumberInput|Select|Switch|Table|Textarea)/',
    // The menus of the first page have its check mark.
    '@mantine/core/esm/components/Checkbox/(?!CheckIcon)',
    '@mantine/core/esm/utils/InlineInput/',
    '@mantine/core/styles/(Checkbox|Combobox|InlineInput|Modal|ModalBase|NumberInput|Switch|Table)\\.',
    'react-number-format',
    '@tanstack/(react-virtual|virtual-core)/',
    'console/src/ui/(action|data-table|date-field|date-text|draft-notice|fields|form|form-rows|lines-form)',
    'console/src/ui/(list-filters|list-page|local-time|picker|scan-box|table-parts)',
    'console/src/ui/list/',
    'console/src/features/catalogue/pickers',
  ].join('|'),
);

export default defineConfig({
  plugins: [react(), mantineStyles()],
  build: {
    target: 'es2022',
    // Fonts stay files: inlined, everybody would load them, and the content security policy allows no data URLs.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
    reportCompressedSize: false,
    // Modules that most pages need share one chunk: each small chunk costs a request.
    // Parts of forms and lists are apart from them: the first page has neither.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'forms',
              test: FORMS,
              minShareCount: 10,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            { name: 'base', minShareCount: 25 },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 700,
  },
  // Needed to load WebAssembly from a worker of its own.
  worker: { format: 'es' },
  server: {
    proxy: Object.fromEntries(
      ['/v2', '/readyz', '/stream', '/exports', '/files', '/labels', '/oauth', '/docs'].map((path) => [
        path,
        SERVER,
      ]),
    ),
  },
});
