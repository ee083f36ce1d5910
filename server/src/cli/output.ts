import { ConfigError } from '../config/index.js';
import { ApiError } from '../platform/errors/index.js';
import { StartRefused } from '../platform/start-refused.js';

/** An error that the user of the command can fix. */
export class UsageError extends Error {}

/** One JSON object for scripts, or the lines given for people. */
export function print(json: boolean, value: object, lines: () => readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${lines().join('\n')}\n`);
}

export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** One line about the failure; only a defect shows its stack. */
export function explain(error: unknown): string {
  if (error instanceof ApiError) {
    const issues = error.issues.map((issue) =>
      issue.path ? `${issue.path}: ${issue.message}` : issue.message,
    );
    const cause = error.kind === 'internal' && error.cause instanceof Error ? [error.cause.message] : [];
    return [...issues, ...cause].join('; ') || error.message;
  }
  if (error instanceof UsageError || error instanceof StartRefused || error instanceof ConfigError)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Columns wide enough for their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
