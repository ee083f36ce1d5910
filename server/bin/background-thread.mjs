import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

const PRIORITY = 5;

/** Serves the process: each message is answered with what `work` returns for it. */
export function answerWith(work) {
  // On Linux priorities are those of threads; elsewhere this would slow down the whole process.
  if (process.platform === 'linux') setPriority(0, PRIORITY);
  parentPort.on('message', (message) => {
    try {
      parentPort.postMessage({ done: work(message) });
    } catch (error) {
      parentPort.postMessage({ failure: String(error) });
    }
  });
}
