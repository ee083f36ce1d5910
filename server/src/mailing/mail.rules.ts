/** The domains of these addresses, each once, as the database compares them. */
export const domainsOf = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.map((address) => (address.split('@')[1] ?? '').toLowerCase())),
];

const MINUTE_MS = 60_000;
const FIRST_DELAYS_MIN = [1, 5, 15, 60];
const HOURLY_ATTEMPTS = 3 * 24;

/** The time of the next attempt after the failed attempt number `attempts`, or null after the last one. */
export function nextAttemptAt(attempts: number, failedAt: Date): Date | null {
  if (attempts > FIRST_DELAYS_MIN.length + HOURLY_ATTEMPTS) return null;
  const minutes = FIRST_DELAYS_MIN[attempts - 1] ?? 60;
  return new Date(failedAt.getTime() + minutes * MINUTE_MS);
}
