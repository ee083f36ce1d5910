import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config/index.js';
import type { Logger } from '../platform/logging/index.js';
import { StartRefused } from '../platform/start-refused.js';

const RESTART_AFTER_MS = 1_000;

/** Several API processes on one port. One that dies is replaced; the others go on. */
export async function openChildren(
  config: Config,
  logger: Logger,
  onFork: (child: Worker) => void,
): Promise<{ port: number; close(): Promise<void> }> {
  let closing = false;
  const fork = (): Worker => {
    const child = cluster.fork();
    onFork(child);
    child.once('exit', (code, signal) => {
      if (closing) return;
      logger.error({ pid: child.process.pid, code, signal }, 'API process exited, restarting');
      setTimeout(() => {
        if (!closing) fork();
      }, RESTART_AFTER_MS);
    });
    return child;
  };
  const ports = await Promise.all(Array.from({ length: config.apiProcesses }, () => listening(fork())));
  return {
    port: ports[0] ?? config.port,
    async close() {
      closing = true;
      const alive = Object.values(cluster.workers ?? {}).filter((child) => child !== undefined);
      await Promise.all(
        alive.map(
          (child) =>
            new Promise<void>((resolve) => {
              if (child.isDead()) return resolve();
              child.once('exit', () => resolve());
              child.process.kill('SIGTERM');
            }),
        ),
      );
    },
  };
}

function listening(child: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { type?: string; port?: number }) => {
      if (message?.type === 'lotward.listening') resolve(message.port ?? 0);
    });
    child.once('exit', () =>
      reject(new StartRefused('An API process could not start; see its message above.')),
    );
  });
}
