/* Changes the code in small ways, one at a time, and counts how many of the changes the tests notice. */
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runAccess } from './mutate/access/run.mjs';
import { AREAS } from './mutate/areas.mjs';
import { runCore } from './mutate/core/run.mjs';

const HELP = `npm run mutate -- [options]

Changes the code in small ways, one at a time, in a copy of the tree, and counts how many the tests notice.
Fails when an area notices fewer than 95 in 100 that make a difference.

  --area NAME      ${Object.keys(AREAS).join(', ')}, or access;
                   may be given several times; all but access where it is not given
  --sample N       how many mutants of an area are tried (40); of access, all that concern tenancy and N of the rest (all)
  --seed N         which ones are drawn (1)
  --only TEXT      only those whose file, kind or code contains this
  --list           only print them
  --resume         go on from the results of an earlier run
  --results FILE   where results are kept meanwhile
  --report FILE    where to write the outcome, as Markdown
  --jobs N         how many test files run at a time (2)
  --limit SECONDS  how long one of them may take (300); longer counts as noticed
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean' },
    area: { type: 'string', multiple: true, default: Object.keys(AREAS) },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    list: { type: 'boolean' },
    resume: { type: 'boolean', default: false },
    results: { type: 'string' },
    report: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    limit: { type: 'string', default: '300' },
  },
});

async function run() {
  const known = [...Object.keys(AREAS), 'access'];
  const unknown = options.area.filter((area) => !known.includes(area));
  if (unknown.length > 0) throw new Error(`no area ${unknown.join(', ')}: there are ${known.join(', ')}`);
  const kept = (name) => ({ ...options, results: options.results ?? join(tmpdir(), `mutate-${name}.json`) });
  const core = options.area.filter((area) => area !== 'access');
  const isAccessEnough = !options.area.includes('access') || (await runAccess(root, kept('access')));
  const isCoreEnough = core.length === 0 || (await runCore(root, core, kept('core')));
  return isAccessEnough && isCoreEnough;
}

if (options.help) console.log(HELP);
else process.exitCode = (await run()) ? 0 : 1;
