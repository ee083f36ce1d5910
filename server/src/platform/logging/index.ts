import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on standard output, written behind the request rather than in its way. */
export const createLogger = (level: string): Logger =>
  pino({ level, base: { pid: process.pid } }, standardOutput());

/** For programs that print something else on standard output. */
export const silentLogger = (): Logger => pino({ level: 'silent' });

const CHUNK_LENGTH = 8_192;
const WAIT_MS = 50;

/** Gathers the lines of a moment into one write: a write for each line costs a tenth of the throughput. */
function standardOutput(): DestinationStream & { flush(done?: () => void): void } {
  // What is shorter than a chunk waits there until it is flushed, at the latest when the process exits.
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
  // Before the destination's own listener, which writes everything it has.
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
