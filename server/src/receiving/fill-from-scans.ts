import type { Tx } from '../platform/database/index.js';
import type { Issue } from '../platform/errors/index.js';
import { invalid, QUANTITY_MAX } from '../platform/http/index.js';
import { type GivenCode, resolveScans } from '../scanning/index.js';
import { countPackages, readPackagedProducts, unknownPackages } from './count-packages.js';
import { type FilledLine, fillLine, type GivenLine } from './scanned-line.rules.js';

/** A line of the request, with the code or codes scanned for it. */
export interface ScannedLine extends GivenLine {
  udi?: string | null | undefined;
  udis?: readonly string[] | undefined;
}

/** Completes lines from their codes. Unknown devices are refused together with the `unknown` references. */
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
      const { productCode, quantity } = requireProductAndQuantity(
        countPackages(line, packaged, path) ?? line,
        path,
      );
      return { ...rest, productCode, quantity, udis: [], scans: [] };
    }
    if (line.udiDi != null || line.packages != null)
      throw invalid('not_allowed', `${path}/udiDi`, 'Give either scanned codes, or udiDi and packages.');
    const own = items.slice(at, at + given.length);
    at += given.length;
    const filled = fillLine(rest, own, { line: path, codes: given.map((each) => each.path) });
    if (filled.quantity > QUANTITY_MAX)
      throw invalid('out_of_range', path, `The quantity is more than ${QUANTITY_MAX}. Split the line.`);
    return filled;
  });
}

function codesOf(line: ScannedLine, i: number): GivenCode[] {
  const { udi = null, udis = [] } = line;
  if (udi !== null && udis.length > 0)
    throw invalid('not_allowed', `/lines/${i}/udis`, 'Give either one code as udi, or several as udis.');
  if (udi !== null) return [{ code: udi, path: `/lines/${i}/udi` }];
  return udis.map((code, j) => ({ code, path: `/lines/${i}/udis/${j}` }));
}

function requireProductAndQuantity(
  { productCode, quantity }: Pick<ScannedLine, 'productCode' | 'quantity'>,
  path: string,
) {
  if (productCode === undefined)
    throw invalid('required', `${path}/productCode`, 'Required on a line without a code.');
  if (quantity === undefined)
    throw invalid('required', `${path}/quantity`, 'Required on a line without a code.');
  return { productCode, quantity };
}
