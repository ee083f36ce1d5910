/*
 * Does the time to read a code grow with its length and no faster? Codes made to be read to their end, half as long as
 * allowed against an eighth: four times the length may take little more than four times the time.
 */
import { readUdi } from '../../udi/dist/index.js';

const SHORT = 256;
const LONG = 1_024;
const TIMES = 300;
const ROUNDS = 7;
const GROWTH_MAX = 6;

const filled = (start, part, length) =>
  start + part.repeat(Math.floor((length - start.length) / part.length));
const forms = {
  bracketed: (length) => filled('(01)00844588003288', '(240)A', length),
  scanned: (length) => filled(']d20100844588003288', '240A\u001d', length),
  brackets: (length) => filled('', '(', length),
  'Digital Link': (length) => filled('https://id.gs1.org/', 'a/', length),
  'link parameters': (length) => filled('https://id.gs1.org/01/00844588003288?17=281130', '&x=1', length),
  HIBC: (length) => filled('+A123BJC5D6E71', '/S1', length),
  'ISBT 128': (length) => filled('=/A9999XYZ100T0944', '=,000025', length),
};

function microsOf(code) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    for (let i = 0; i < TIMES; i++) readUdi(code, { today: '2026-11-15' });
    best = Math.min(best, ((performance.now() - from) * 1_000) / TIMES);
  }
  return best;
}

export function readerRow() {
  const found = Object.entries(forms).map(([form, of]) => {
    const short = microsOf(of(SHORT));
    const long = microsOf(of(LONG));
    return { form, long, growth: long / short };
  });
  const worst = Math.max(...found.map(({ growth }) => growth));
  return {
    number: '12r',
    what: `reading a code, time at ${LONG} characters / at ${SHORT}, the worst of ${found.length} forms`,
    target: `≤ ${GROWTH_MAX}`,
    reached: worst.toFixed(1),
    met: worst <= GROWTH_MAX,
    errors: 0,
    detail: found
      .map(({ form, long, growth }) => `${form} ${long.toFixed(1)} µs, × ${growth.toFixed(1)}`)
      .join('; '),
  };
}
