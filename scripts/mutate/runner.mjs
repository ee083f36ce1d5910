/* A process that keeps the test runner, its transformed sources and its database, and runs test files on request. */
import { createVitest } from 'vitest/node';
import { switchable } from './switchable.mjs';

let vitest;

// The tests themselves run what was compiled.
process.env.LOTWARD_TEST_SOURCES = '1';

/** Like the tests' own, but every file loads the service for itself: what it loads changes from run to run. */
const settingsIn = (root) => ({
  root,
  config: false,
  globalSetup: `${root}/server/test/harness/global-setup.ts`,
  pool: 'forks',
  maxWorkers: 1,
  testTimeout: 60_000,
  hookTimeout: 240_000,
  watch: false,
  silent: true,
  reporters: [{}],
});

async function open({ root, mutants, stopAtFirst }) {
  vitest = await createVitest(
    'test',
    { ...settingsIn(root), bail: stopAtFirst ? 1 : 0 },
    { plugins: [switchable(root, mutants)], logLevel: 'silent' },
  );
}

async function run({ root, files, gone = '', notes = '', changed = [] }) {
  for (const file of changed) vitest.invalidateFile(`${root}/${file}`);
  // The processes of the tests get these.
  process.env.LOTWARD_MUTANT = gone;
  process.env.LOTWARD_MUTANTS_SEEN = notes;
  // Failures of earlier runs would count as a reason to stop.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  vitest.state.clearErrors();
  const specifications = files.map((file) => vitest.getRootProject().createSpecification(`${root}/${file}`));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const failed = testModules.flatMap((module) => {
    const tests = [...module.children.allTests('failed')].map(
      (test) => `${test.fullName}: ${firstLineOf(test.result().errors[0]?.message)}`,
    );
    return tests.length > 0 || module.ok() ? tests : [errorsOf(module)];
  });
  const ran = testModules.flatMap((module) => [...module.children.allTests('passed')]).length;
  return { failed: [...failed, ...unhandledErrors.map((error) => error.message)], ran };
}

const firstLineOf = (text = '') => text.split('\n')[0];
const errorsOf = (module) =>
  [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
    .map(({ message }) => message)
    .join('; ') || 'the file itself';

// The process that started it is gone: the database goes too.
process.on('disconnect', () => vitest?.close().finally(() => process.exit()));
process.on('message', async ({ task, ...of }) => {
  try {
    if (task === 'open') await open(of);
    const outcome = task === 'run' ? await run(of) : {};
    if (task === 'close') await vitest.close();
    process.send(outcome);
    if (task === 'close') process.exit();
  } catch (error) {
    process.send({ failed: [String(error?.message ?? error)], ran: 0 });
  }
});
