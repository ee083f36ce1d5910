import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on standard output, written asynchronously so that requests do not wait. */
export const createLogger = (level: string): Logger =>
  pino({ level, base: { pid: process.pid } }, standardOutput());

/** For programs whose standard output is not a log. */
export const silentLogger = (): Logger => pino({ level: 'silent' });

const CHUNK_LENGTH = 8_192;
const WAIT_MS = 50;

/** Combines the lines of a short interval into one write: a write per line costs a tenth of the throughput. */
function standardOutput(): DestinationStream & { flush(done?: () => void): void } {
  // Output shorter than a chunk stays buffered until it is flushed, at the latest when the process exits.
  const out = pino.destination({ dest: 1, sync: false, minLength: CHUNK_LENGTH });
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const pass = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') out.write(lines);
    lines = '';
  };
  const flush = (done?: () => void) => {
    pass();
    out.flush(done);
  };
  // Runs before the destination's own listener, which writes its buffer.
  process.prependListener('exit', pass);
  return {
    write(line) {
      lines += line;
      if (lines.length >= CHUNK_LENGTH) pass();
      else timer ??= setTimeout(flush, WAIT_MS);
    },
    flush,
  };
}
