/* Writes the code so that each line can be taken away while it runs: what the tests load is transformed only once. */
import { fileURLToPath } from 'node:url';
import { groupedBy } from './grouped.mjs';

const SWITCH = fileURLToPath(new URL('./switch.mjs', import.meta.url));

/**
 * Before and after the text of a line that can be taken away; a line that throws matters where it does. A statement gets
 * its own braces, so that an `else` after it stays with the `if` before it.
 */
function around({ id, kind, text, wrap }) {
  const name = JSON.stringify(id);
  if (wrap === 'statement') return [`{if(!__m.isOn(${name})){`, '}}'];
  if (wrap === 'expression') return [`(__m.isOn(${name})?(${text}):(`, '))'];
  if (kind === 'demand') return [`{if(!__m.isGone(${name})){try{`, `}catch(e){__m.note(${name});throw e}}}`];
  if (kind === 'organization of a transaction') return [`{if(!__m.isGone(${name})){__m.note(${name});`, '}}'];
  return [`(__m.isGone(${name})?(${text}):__m.seen(${name},(`, `),${kind === 'refusal'}))`];
}

function written(code, mutants) {
  const inserts = mutants.flatMap((mutant) => {
    const [before, after] = around(mutant);
    return [
      { at: mutant.start, opens: 1, other: mutant.end, text: before },
      { at: mutant.end, opens: 0, other: mutant.start, text: after },
    ];
  });
  // At one place what ends comes first; of two that end or begin there, the inner one ends first and begins last.
  inserts.sort((a, b) => a.at - b.at || a.opens - b.opens || b.other - a.other);
  let done = 0;
  let out = `import * as __m from ${JSON.stringify(SWITCH)};`;
  for (const { at, text } of inserts) {
    out += code.slice(done, at) + text;
    done = at;
  }
  return out + code.slice(done);
}

/** A plugin of the tests' loader. */
export function switchable(root, mutants) {
  const byFile = groupedBy(mutants, ({ file }) => `${root}/${file}`);
  return {
    name: 'lines that can be taken away',
    enforce: 'pre',
    transform(code, id) {
      const own = byFile.get(id.split('?')[0]);
      return own && { code: written(code, own), map: null };
    },
  };
}
