/*
 * Tenancy: statements and the schema have tests of their own for each store and each table, so that many lines can be
 * taken away at once, one of each store or table, and each is noticed, or not, by the tests of its own.
 */
import { groupedBy } from '../grouped.mjs';
import { openRunner } from '../runners.mjs';

const STATEMENTS = 'server/test/tenancy/statements.test.ts';
const OTHERS = ['server/test/tenancy/shared-writes.test.ts', 'server/test/tenancy/isolation.test.ts'];
const SCHEMA = 'server/test/tenancy/schema.test.ts';

/** The first of each group, then the second of each, and so on. */
function roundsOf(mutants, keyOf) {
  const rounds = [];
  for (const group of groupedBy(mutants, keyOf).values())
    for (const [i, mutant] of group.entries()) {
      rounds[i] ??= [];
      rounds[i].push(mutant);
    }
  return rounds;
}

const isShared = ({ kind }) => kind === 'condition of a fragment';
export const isStatement = (mutant) => mutant.kind === 'condition of a statement' || isShared(mutant);
export const isSchema = ({ table }) => table !== undefined;

export async function judgeStatements(copy, mutants, limitMs, settle) {
  const runner = openRunner({ root: copy.path, limitMs });
  const untouched = await runner.run({ files: [STATEMENTS, ...OTHERS] });
  if (untouched.failed.length > 0) throw new Error(`fails with nothing taken away: ${untouched.failed[0]}`);
  let restored = [];
  /** Without these lines; the next run finds them back in their places. */
  const runWithout = async (gone, files) => {
    copy.remove(gone);
    const { failed } = await runner.run({ files, changed: [...restored, ...gone.map(({ file }) => file)] });
    restored = copy.restore();
    return failed;
  };
  const ofOneStore = mutants.filter((mutant) => !isShared(mutant));
  for (const round of roundsOf(ofOneStore, ({ file }) => file)) {
    const failed = await runWithout(round, [STATEMENTS]);
    for (const mutant of round) {
      const store = mutant.file.replace('server/src/', '');
      const by = failed.find((name) => name.includes(`the statements of ${store} `));
      if (by) settle(mutant, { by, test: STATEMENTS });
      else await tryAlone(mutant);
    }
  }
  for (const mutant of mutants.filter(isShared)) await tryAlone(mutant);
  await runner.close();

  /**
   * Part of the statements of other stores, whose plans reveal it; one that no plan reveals is left to tests of the data
   * read and written.
   */
  async function tryAlone(mutant) {
    for (const test of [STATEMENTS, ...OTHERS]) {
      const [by] = await runWithout([mutant], [test]);
      if (by) return settle(mutant, { by, test });
    }
    settle(mutant, null);
  }
}

export async function judgeSchema(copy, mutants, limitMs, settle) {
  const rounds = roundsOf(mutants, ({ kind, table }) => `${kind} ${table}`);
  // A service that finds a table unguarded does not start, so those are kept apart from the others.
  for (const round of rounds.flatMap((each) => [...groupedBy(each, ({ kind }) => kind).values()])) {
    copy.remove(round);
    // One of its own for each: the database is made from what is left of the migrations.
    const runner = openRunner({ root: copy.path, limitMs });
    const { failed } = await runner.run({ files: [SCHEMA] });
    await runner.close();
    for (const mutant of round) {
      const named = new RegExp(
        `^(the table ${mutant.table} |Row-level security is off on:.*\\b${mutant.table}\\b)`,
      );
      const by = failed.find((name) => named.test(name));
      settle(mutant, by ? { by, test: SCHEMA } : null);
    }
    copy.restore();
  }
}
