import type { Tx } from '../platform/database/index.js';
import type { Issue } from '../platform/errors/index.js';
import { invalid, QUANTITY_MAX } from '../platform/http/index.js';
import { type GivenCode, resolveScans } from '../scanning/index.js';
import { countPackages, readPackagedProducts, unknownPackages } from './count-packages.js';
import { type FilledLine, fillLine, type GivenLine } from './scanned-line.rules.js';

/** A line as a caller gives it, with the code or codes that were scanned for it. */
export interface ScannedLine extends GivenLine {
  udi?: string | null | undefined;
  udis?: readonly string[] | undefined;
}

/** The lines with what their codes say, in the order they were given; `unknown` is refused with what they do not find. */
export async function fillFromScans(
  tx: Tx,
  lines: readonly ScannedLine[],
  unknown: readonly Issue[],
): Promise<FilledLine[]> {
  const codes = lines.map(codesOf);
  const packaged = await readPackagedProducts(tx, lines);
  const items = await resolveScans(tx, codes.flat(), [...unknown, ...unknownPackages(lines, packaged)]);
  let at = 0;
  return lines.map((line, i) => {
    const given = codes[i] ?? [];
    const path = `/lines/${i}`;
    const { udi: _udi, udis: _udis, ...rest } = line;
    if (given.length === 0) {
      const { productCode, quantity } = requireSaid(countPackages(line, packaged, path) ?? line, path);
      return { ...rest, productCode, quantity, udis: [], scans: [] };
    }
    if (line.udiDi != null || line.packages != null)
      throw invalid('not_allowed', `${path}/udiDi`, 'give scanned codes, or udiDi and packages');
    const own = items.slice(at, at + given.length);
    at += given.length;
    const filled = fillLine(rest, own, { line: path, codes: given.map((each) => each.path) });
    if (filled.quantity > QUANTITY_MAX) throw invalid('out_of_range', path, `more than ${QUANTITY_MAX}`);
    return filled;
  });
}

function codesOf(line: ScannedLine, i: number): GivenCode[] {
  const { udi = null, udis = [] } = line;
  if (udi !== null && udis.length > 0)
    throw invalid('not_allowed', `/lines/${i}/udis`, 'give one code as udi, or several as udis');
  if (udi !== null) return [{ code: udi, path: `/lines/${i}/udi` }];
  return udis.map((code, j) => ({ code, path: `/lines/${i}/udis/${j}` }));
}

function requireSaid({ productCode, quantity }: Pick<ScannedLine, 'productCode' | 'quantity'>, path: string) {
  if (productCode === undefined) throw invalid('required', `${path}/productCode`, 'is required');
  if (quantity === undefined) throw invalid('required', `${path}/quantity`, 'is required');
  return { productCode, quantity };
}
