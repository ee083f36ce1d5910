import type { Worker } from 'node:cluster';
import type { Decision, Limiter } from './limiter.js';
import type { MemoryLimiter } from './memory.js';
import { Outage, type OutageEvents, withDeadline } from './outage.js';

const ANSWER_WITHIN_MS = 500;

/** Distinguishes these messages from others on the same channel. */
const TOPIC = 'lotward:rate-limit';

interface Question {
  topic: typeof TOPIC;
  id: number;
  takes: readonly [key: string, limit: number, cost: number][];
}

interface Answer {
  topic: typeof TOPIC;
  id: number;
  decisions: readonly Decision[];
}

const isOurs = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'topic' in message && message.topic === TOPIC;
const isQuestion = (message: unknown): message is Question => isOurs(message);
const isAnswer = (message: unknown): message is Answer => isOurs(message);

/** In the parent: replies to a forked process from the parent's own counts, without state per process. */
export function serveLimiter(worker: Worker, limiter: MemoryLimiter): void {
  worker.on('message', (message: unknown) => {
    if (!isQuestion(message)) return;
    const decisions = message.takes.map((take) => limiter.take(...take));
    const answer: Answer = { topic: TOPIC, id: message.id, decisions };
    // With a callback, sending to a process that has died raises no error event.
    worker.send(answer, () => {});
  });
}

interface Waiting {
  take: Question['takes'][number];
  resolve: (decision: Decision | Promise<Decision>) => void;
}

/** In a forked process: counts in its parent. All takes of one event-loop turn travel in one message. */
export function parentLimiter(options: { fallback: Limiter } & OutageEvents): Limiter {
  const { fallback } = options;
  const outage = new Outage(options);
  const asked = new Map<number, (decisions: readonly Decision[]) => void>();
  let lastId = 0;
  let queue: Waiting[] = [];

  process.on('message', (message: unknown) => {
    if (isAnswer(message)) asked.get(message.id)?.(message.decisions);
  });

  const ask = async (takes: Question['takes']): Promise<readonly Decision[]> => {
    if (!process.send || !process.connected) throw new Error('no channel to the parent process');
    const id = ++lastId;
    const question: Question = { topic: TOPIC, id, takes };
    const answer = new Promise<readonly Decision[]>((resolve) => asked.set(id, resolve));
    // With a callback, a failed send raises no error event; the missing response reaches its deadline.
    process.send(question, undefined, undefined, () => {});
    try {
      return await withDeadline(answer, ANSWER_WITHIN_MS);
    } finally {
      asked.delete(id);
    }
  };

  /** Probes, one after the other, until the parent responds again. */
  const awaitParent = async () => {
    while (process.connected) {
      try {
        await ask([]);
        return outage.end();
      } catch {
        // No response yet: probe again.
      }
    }
  };

  const flush = async () => {
    const batch = queue;
    queue = [];
    try {
      const decisions = await ask(batch.map(({ take }) => take));
      batch.forEach(({ resolve }, i) => {
        resolve(decisions[i] as Decision);
      });
    } catch (error) {
      for (const { take, resolve } of batch) resolve(fallback.take(...take));
      if (outage.under) return;
      outage.begin(error as Error);
      void awaitParent();
    }
  };

  return {
    take(key, limit, cost = 1) {
      if (outage.under) return fallback.take(key, limit, cost);
      return new Promise((resolve) => {
        if (queue.push({ take: [key, limit, cost], resolve }) === 1) setImmediate(flush);
      });
    },
  };
}
