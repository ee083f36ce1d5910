#!/usr/bin/env node
// The command itself. Committed as plain JavaScript, so that npm can link it before anything is built.
import { build, isStale } from './build.mjs';

try {
  if (isStale()) {
    process.stderr.write('Building Lotward …\n');
    build();
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
const { main } = await import('../dist/command/lotward.js');
await main(process.argv);
