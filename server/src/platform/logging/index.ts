import { type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on standard output, written behind the request rather than in its way. */
export const createLogger = (level: string): Logger =>
  pino({ level, base: { pid: process.pid } }, pino.destination({ dest: 1, sync: false }));

/** For programs that print something else on standard output. */
export const silentLogger = (): Logger => pino({ level: 'silent' });
