const BAR_WIDTH = 30;
const ROWS_PER_STEP = 1_000;
const ROWS_PER_LINE = 10_000;

/** Progress of a long task: a bar in a terminal, an occasional line in a log. */
export function progressOn(out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>) {
  return {
    at(label: string, rows: number, share: number): void {
      if (rows % (out.isTTY ? ROWS_PER_STEP : ROWS_PER_LINE) !== 0) return;
      const text = `${label}: ${rows.toLocaleString('en-US')} rows`;
      const filled = Math.round(share * BAR_WIDTH);
      const bar = '#'.repeat(filled).padEnd(BAR_WIDTH, '.');
      out.write(
        out.isTTY ? `\r[${bar}] ${String(Math.round(share * 100)).padStart(3)} %  ${text}  ` : `${text}\n`,
      );
    },
    /** Leaves the line free for what comes next. */
    end(): void {
      if (out.isTTY) out.write('\r\u001b[K');
    },
  };
}
