const decimalsOf = (amount: string): number => (amount.split('.')[1] ?? '').length;

/**
 * An amount with all decimals that the service sent, and at least those of its currency, so that a price with three is not
 * rounded.
 */
export function formatMoney(language: string, amount: string, currency: string): string {
  const usual = new Intl.NumberFormat(language, { style: 'currency', currency }).resolvedOptions();
  const maximumFractionDigits = Math.max(usual.minimumFractionDigits ?? 0, decimalsOf(amount));
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits });
  // Kept as text, because a number would lose digits.
  return format.format(amount as `${number}`);
}

/** A price times a quantity, exact to the last digit, which a number would lose; without trailing zeros. */
export function timesPrice(price: string, quantity: number): string {
  const decimals = decimalsOf(price);
  const digits = (BigInt(price.replace('.', '')) * BigInt(quantity)).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return digits;
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
}
