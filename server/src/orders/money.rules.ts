/** Amounts are decimal text, computed in whole millionths so that no binary fraction rounds them. */
const PLACES = 6;
const UNIT = 10n ** BigInt(PLACES);

function toMillionths(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

function toDecimal(millionths: bigint): string {
  const fraction = (millionths % UNIT)
    .toString()
    .padStart(PLACES, '0')
    .replace(/0{1,4}$/, '');
  return `${millionths / UNIT}.${fraction}`;
}

/** The canonical text of an amount: `10`, `10.0` and `10.000000` are all `10.00`. */
export const canonicalAmount = (decimal: string): string => toDecimal(toMillionths(decimal));

export function totalAmount(lines: readonly { quantity: number; unitPrice: string }[]): string {
  return toDecimal(
    lines.reduce((sum, line) => sum + BigInt(line.quantity) * toMillionths(line.unitPrice), 0n),
  );
}
