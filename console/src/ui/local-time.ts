/** An instant as an input of a local date and time has it: `2026-11-15T13:05`. */
export function localInput(at: string | number): string {
  const date = new Date(at);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The instant that was entered, as the service has them. */
export const instantOf = (input: string): string => new Date(input).toISOString();
