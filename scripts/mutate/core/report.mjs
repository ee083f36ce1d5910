/* The outcome of a run, as Markdown. */
const KILLED_MIN = 0.95;

export const nameOf = ({ file, line, kind, was, now }) => `${file}:${line}  ${kind}  ${was}  ⇒  ${now}`;

const isSurvivor = ({ by, equivalent }) => !by && !equivalent;
/** Said to make no difference, though a test noticed it. */
const isWronglyExcused = ({ by, equivalent }) => by && equivalent;

export function isEnough(outcomes) {
  const counted = outcomes.filter(({ equivalent }) => !equivalent);
  const killed = counted.filter(({ by }) => by);
  return killed.length >= counted.length * KILLED_MIN && !outcomes.some(isWronglyExcused);
}

const listed = (title, judged, belongs, lineOf) => {
  const lines = judged.flatMap(({ outcomes }) => outcomes.filter(belongs).map(lineOf));
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map((line) => `- ${line}`)];
};
const code = (mutant) => `\`${nameOf(mutant).replaceAll('`', "'")}\``;

function rowOf({ area, found, outcomes, seconds }) {
  const killed = outcomes.filter(({ by }) => by).length;
  const survived = outcomes.filter(isSurvivor).length;
  const share = outcomes.length === 0 ? 100 : (100 * (outcomes.length - survived)) / outcomes.length;
  const same = outcomes.length - killed - survived;
  return `| ${area} | ${outcomes.length} of ${found} | ${killed} | ${same} | ${survived} | ${share.toFixed(0)} % | ${Math.ceil(seconds / 60)} |`;
}

export const summaryOf = (judged) =>
  [
    '# Mutants of the core that the tests notice',
    '',
    '| Area | Mutants | Killed | Equivalent | Survived | Killed or equivalent | Minutes |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...judged.map(rowOf),
    ...listed('Survived', judged, isSurvivor, (each) => `${code(each)}: ${each.why}`),
    ...listed(
      'Equivalent',
      judged,
      ({ by, equivalent }) => !by && equivalent,
      (each) => `${code(each)}: ${each.equivalent}`,
    ),
    ...listed('Said to be equivalent, but killed', judged, isWronglyExcused, code),
    '',
  ].join('\n');
