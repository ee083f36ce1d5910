// Joins the compiled files into a few: loading hundreds of small ones is half of what a short command costs.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist');
/** Our own packages, and the one library that comes in hundreds of files. Everything else stays where npm puts it. */
const JOINED = /^(\.|\/|@lotward\/|typebox(\/|$))/;

const bundle = await rolldown({
  input: join(dist, 'cli.js'),
  platform: 'node',
  external: (id) => !JOINED.test(id),
});
await bundle.write({
  dir: join(dist, 'command'),
  cleanDir: true,
  entryFileNames: 'lotward.js',
  chunkFileNames: '[name].js',
  sourcemap: true,
});
