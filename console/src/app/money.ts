const decimalsOf = (amount: string): number => (amount.split('.')[1] ?? '').length;

/** An amount with all decimals that the service sent, and at least those of its currency: a price of three is not rounded. */
export function formatMoney(language: string, amount: string, currency: string): string {
  const usual = new Intl.NumberFormat(language, { style: 'currency', currency }).resolvedOptions();
  const maximumFractionDigits = Math.max(usual.minimumFractionDigits ?? 0, decimalsOf(amount));
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits });
  // As text: a number would lose digits.
  return format.format(amount as `${number}`);
}
