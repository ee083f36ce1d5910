/*
 * `npm run release`: what goes out, made from a clean checkout into release/ :
 * the source as an archive, the packages that partners install, the bill of materials in two formats, and checksums.
 * Not with a dependency whose severe or critical vulnerability is known.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { vulnerabilityProblem } from './known-vulnerabilities.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'release' },
    'skip-check': { type: 'boolean', default: false },
    'skip-audit': { type: 'boolean', default: false },
  },
});
const out = path.resolve(root, values.out);
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The output of a command, or the end of it all. */
function run(command, ...args) {
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  if (done.status === 0) return done.stdout;
  console.error(`${command} ${args.join(' ')} failed:\n${done.stdout ?? ''}${done.stderr ?? done.error}`);
  process.exit(1);
}
const step = (name) => console.log(`release: ${name}`);

if (run('git', 'status', '--porcelain').trim() !== '') {
  console.error('release: there are changes that are not committed; a release is made of what is.');
  process.exit(1);
}
if (!values['skip-check']) {
  step('check');
  run('npm', 'run', 'check');
}
if (!values['skip-audit']) {
  step('known vulnerabilities');
  const problem = vulnerabilityProblem(root);
  if (problem) {
    console.error(`release: ${problem} With --skip-audit they are not looked for.`);
    process.exit(1);
  }
}
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
step('source');
run(
  'git',
  'archive',
  '--format=tar.gz',
  `--prefix=lotward-${version}/`,
  '-o',
  path.join(out, `lotward-${version}.tar.gz`),
  'HEAD',
);
step('packages');
for (const workspace of ['udi', 'client'])
  run('npm', 'pack', '--workspace', workspace, '--pack-destination', out);
step('bill of materials');
for (const format of ['cyclonedx', 'spdx'])
  writeFileSync(
    path.join(out, `lotward-${version}.${format}.json`),
    run('npm', 'sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', format),
  );
step('checksums');
const sums = readdirSync(out)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(path.join(out, file)))
        .digest('hex')}  ${file}`,
  );
writeFileSync(path.join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`);
console.log(`release: ${version} is in ${path.relative(process.cwd(), out)}\n${sums.join('\n')}`);
