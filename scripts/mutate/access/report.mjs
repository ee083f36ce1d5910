/* Prints the results. */
import { groupedBy } from '../grouped.mjs';

const REST_CAUGHT_MIN = 0.95;

export const nameOf = ({ file, line, kind, was }) => `${file}:${line}  ${kind}  ${was}`;

const isMissed = ({ by, equivalent }) => !by && !equivalent;
/** A line said to make no difference, though a test noticed that it was gone. */
const isWronglyExcused = ({ by, equivalent }) => by && equivalent;

export function isEnough(outcomes) {
  const { tenancy = [], authorization = [] } = Object.fromEntries(groupedBy(outcomes, ({ group }) => group));
  const missed = authorization.filter(isMissed).length;
  const counted = authorization.filter(({ equivalent }) => !equivalent).length;
  return (
    !tenancy.some(isMissed) && missed <= counted * (1 - REST_CAUGHT_MIN) && !outcomes.some(isWronglyExcused)
  );
}

const listed = (title, outcomes, lineOf) =>
  outcomes.length === 0 ? [] : ['', `## ${title}`, '', ...outcomes.map((each) => `- ${lineOf(each)}`)];
const code = (mutant) => `\`${nameOf(mutant).replaceAll('`', "'")}\``;

export function summaryOf(outcomes, seconds) {
  const rows = [...groupedBy(outcomes, ({ group, kind }) => `${group}: ${kind}`)].map(([name, of]) => {
    const noticed = of.filter(({ by }) => by).length;
    const same = of.filter(({ by, equivalent }) => !by && equivalent).length;
    return `| ${name} | ${of.length} | ${noticed} | ${same} | ${of.length - noticed - same} |`;
  });
  return [
    '# Which lines the tests notice when they are gone',
    '',
    `Made by \`npm run mutate:access\` in ${Math.ceil(seconds / 60)} minutes.`,
    '',
    '| Kind | Lines | Noticed | Make no difference | Missed |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    ...listed('Missed', outcomes.filter(isMissed), code),
    ...listed(
      'Make no difference',
      outcomes.filter(({ by, equivalent }) => !by && equivalent),
      (each) => `${code(each)}: ${each.equivalent}`,
    ),
    ...listed('Said to make no difference, but noticed', outcomes.filter(isWronglyExcused), code),
    '',
  ].join('\n');
}
