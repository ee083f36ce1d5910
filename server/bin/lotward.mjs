#!/usr/bin/env node
// The command itself. Committed as plain JavaScript, so that npm can link it before anything is built.
import { setFlagsFromString } from 'node:v8';
import { build, isStale } from './build.mjs';

// Where processes have to share the cores, threads that help with a short collection have to wait for one, and all requests of the
// process wait for them: for longer than the collection takes without help.
setFlagsFromString('--no-parallel-scavenge');

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
