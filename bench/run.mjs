/* `npm run bench`: asks every question, prints the table of targets and writes it to results.md. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, isStale } from '../server/bin/build.mjs';
import { requireProc } from './measure/processes.mjs';

const full = {
  quick: false,
  products: 20_000,
  rounds: 7,
  roundMs: 1_000,
  warmUpMs: 2_000,
  pushes: 20_000,
  drainWarmUps: 1,
  latencyOrganizations: 20,
  latencyRoundMs: 2_000,
  hangingLeadMs: 1_500,
  hangingRoundMs: 3_000,
  starts: 3,
  memoryWarmUp: 100_000,
  memoryRequests: 1_000_000,
  certificates: 1_000_000,
  registerMs: 1_000,
  registerRequestsMax: 500,
  traceRows: 500_000,
  pageLoads: 5,
  unitReads: 20_000,
  unitOrders: 1_000,
  mirrored: 100_000,
  sentOrders: 2_000,
  listedBatches: 1_000_000,
  listedOrders: 300_000,
  listReads: 40,
  waitingEvents: 100_000,
  singleEvents: 2_000,
  recalledBatches: 5_000,
  importedProducts: 100_000,
  listClicks: 20,
  peerEvents: 3_000,
  peerFanOutEvents: 2_000,
  peerWaiting: 10_000,
};
/** To see that everything works; too short to believe the figures. */
const quick = {
  quick: true,
  products: 2_000,
  rounds: 2,
  roundMs: 1_000,
  warmUpMs: 1_000,
  pushes: 5_000,
  drainWarmUps: 1,
  latencyOrganizations: 20,
  latencyRoundMs: 1_000,
  hangingLeadMs: 500,
  hangingRoundMs: 1_000,
  starts: 1,
  memoryWarmUp: 20_000,
  memoryRequests: 50_000,
  certificates: 50_000,
  registerMs: 300,
  registerRequestsMax: 50,
  traceRows: 20_000,
  pageLoads: 1,
  unitReads: 4_000,
  unitOrders: 200,
  mirrored: 10_000,
  sentOrders: 400,
  listedBatches: 20_000,
  listedOrders: 6_000,
  listReads: 5,
  waitingEvents: 5_000,
  singleEvents: 500,
  recalledBatches: 500,
  importedProducts: 5_000,
  listClicks: 2,
  peerEvents: 500,
  peerFanOutEvents: 300,
  peerWaiting: 1_000,
};

const HELP = `npm run bench -- [--quick] [--size NAME=NUMBER …] [question …]

Measures the service beside the simplest programs that do the same work, on a database of its own. Without a question it
asks all of them, in about half an hour; nothing else should run meanwhile.

  inventory  orders  webhooks  certificates  readings  trace  start  memory  console  units  partners  lists
  events  growth  peers

  --quick    see in minutes that everything works; too short to believe the figures, and results.md stays as it is
  --size     changes one of the sizes at the top of run.mjs, such as rounds=3; results.md stays as it is
`;

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    size: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (values.help) {
  console.log(HELP);
  process.exit();
}

const pace = { ...(values.quick ? quick : full), ...sizesIn(values.size) };

const startedAt = performance.now();
/** Load by other processes: above a few tenths, the figures are not reliable. */
const loadBefore = loadavg()[0].toFixed(1);
const say = (text) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`);

requireProc();
if (isStale()) {
  say('building the server');
  build();
}
// The questions import the built server, so they are loaded after the build.
const questions = {
  inventory: (await import('./inventory/question.mjs')).inventory,
  orders: (await import('./orders/question.mjs')).orders,
  webhooks: (await import('./webhooks/question.mjs')).webhooks,
  certificates: (await import('./certificates/question.mjs')).certificates,
  readings: (await import('./readings/question.mjs')).readings,
  trace: (await import('./trace/question.mjs')).trace,
  start: (await import('./start/question.mjs')).start,
  memory: (await import('./memory/question.mjs')).memory,
  console: (await import('./console/question.mjs')).consolePages,
  units: (await import('./units/question.mjs')).units,
  partners: (await import('./partners/question.mjs')).partners,
  lists: (await import('./lists/question.mjs')).lists,
  events: (await import('./events/question.mjs')).events,
  growth: (await import('./growth/question.mjs')).growth,
  peers: (await import('./peers/question.mjs')).peers,
};
const asked = positionals.length > 0 ? positionals : Object.keys(questions);
const unknown = asked.find((name) => !(name in questions));
if (unknown) throw new Error(`There is no question "${unknown}": ${Object.keys(questions).join(', ')}.`);

const SHOWN_ONLY = 'shown only';
const rows = [];
for (const name of asked) {
  say(name);
  rows.push(...(await questions[name]({ pace, say })));
}

/** A row without a floor is there to be looked at. */
const verdictOn = ({ met, target }) => {
  if (target === SHOWN_ONLY) return '';
  return met ? 'met' : 'missed';
};

const table = [
  '| # | What | Target | Reached | |',
  '|---|---|---|---|---|',
  ...rows.map(
    (row) => `| ${row.number} | ${row.what} | ${row.target} | ${row.reached} | ${verdictOn(row)} |`,
  ),
].join('\n');
const git = (...args) =>
  execFileSync('git', args, { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8' }).trim();
const changed =
  git('status', '--porcelain', '--', 'server/src', 'server/migrations') === ''
    ? ''
    : ' and uncommitted changes';
const about =
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model}, load before ${loadBefore}, ` +
  `commit ${git('rev-parse', '--short', 'HEAD')}${changed}${values.quick ? ', --quick: too short to believe' : ''}${values.size.map((size) => `, ${size}`).join('')}`;
const details = rows.map((row) => `- **${row.number}** ${row.detail}`).join('\n');
const errors = rows.reduce((total, row) => total + row.errors, 0);

if (!values.quick && values.size.length === 0)
  writeFileSync(
    new URL('results.md', import.meta.url),
    `# Results of \`npm run bench\`\n\n${about}\n\n${table}\n\n${details}\n`,
  );
console.log(`\n${about}\n\n${table}\n\n${details}\n`);
if (errors > 0) console.log(`${errors} answers were wrong.`);
process.exitCode = errors > 0 ? 1 : 0;

function sizesIn(texts) {
  const sizes = texts.map((text) => text.split('='));
  const wrong = sizes.find(([name, number]) => !Number.isInteger(full[name]) || !(Number(number) > 0));
  if (wrong) throw new Error(`--size ${wrong.join('=')}: not a size and a number. See --help.`);
  return Object.fromEntries(sizes.map(([name, number]) => [name, Number(number)]));
}
