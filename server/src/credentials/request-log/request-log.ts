import type { Clock } from '../../platform/clock/index.js';
import type { Pool } from '../../platform/database/index.js';
import { FairBuffer } from '../../platform/fair-buffer/index.js';
import type { Principal } from '../../platform/principal.js';
import { countedAs } from '../usage/usage-counter.js';
import { type AnsweredRequest, isFailure, type LoggedRequest } from './logged-request.js';
import { insertRequests } from './request-log.store.js';

const FLUSH_EVERY_MS = 3_000;
/** Requests of all organizations between two flushes: bounds the memory of a process and its writes to the database. */
const SUCCESSES_MAX = 500;
const FAILURES_MAX = 2_000;
/** A batch that still cannot be written after a minute is dropped. */
const TRIES_MAX = 20;
const LIMITED = 429;

/** Collects answered requests in memory and writes them periodically, so that no request waits for the log. */
export interface RequestLog {
  /**
   * Whether the request needs an entry. Checked first, because in a flood of successes nearly none do, and describing each
   * would cost a fifth of the throughput.
   */
  wants(principal: Principal, status: number): boolean;
  add(principal: Principal, answered: AnsweredRequest): void;
  /** How many requests were not logged, because too many came at a time or they could not be written. */
  readonly dropped: number;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function openRequestLog(worker: Pool, clock: Clock, onError: (error: unknown) => void): RequestLog {
  const successes = new FairBuffer<LoggedRequest>(SUCCESSES_MAX);
  const failures = new FairBuffer<LoggedRequest>(FAILURES_MAX);
  /** Refusals by the rate limit since the last flush: one entry per credential and route. */
  let limited = new Map<string, LoggedRequest>();
  let batch: LoggedRequest[] = [];
  let tries = 0;
  let unwritten = 0;
  let leftOut = 0;
  let flushing: Promise<void> | null = null;

  const write = async () => {
    if (batch.length === 0) {
      batch = [...failures.take(), ...successes.take()];
      limited = new Map();
    }
    if (batch.length === 0) return;
    try {
      await insertRequests(worker, batch);
    } catch (error) {
      tries++;
      onError(error);
      if (tries < TRIES_MAX) return;
      unwritten += batch.length;
    }
    batch = [];
    tries = 0;
  };
  // Never runs concurrently with itself, or the batch in progress would be written twice.
  const flush = () => {
    flushing ??= write().finally(() => {
      flushing = null;
    });
    return flushing;
  };
  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();

  const addLimited = (entry: LoggedRequest) => {
    const alike = `${entry.credentialId} ${entry.userId} ${entry.method} ${entry.route}`;
    const known = limited.get(alike);
    if (known) {
      known.count++;
      return;
    }
    if (limited.size < FAILURES_MAX) limited.set(alike, entry);
    failures.add(entry.orgId, entry);
  };

  return {
    wants(principal, status) {
      if (isFailure({ status })) return true;
      // The console polls while it is open, and its successes would fill most of the log.
      if (principal.session) return false;
      if (successes.hasRoomFor(principal.orgId)) return true;
      leftOut++;
      return false;
    },
    add(principal, answered) {
      const failed = isFailure(answered);
      const entry = entryOf(principal, answered, clock);
      if (answered.status === LIMITED) addLimited(entry);
      else (failed ? failures : successes).add(principal.orgId, entry);
    },
    get dropped() {
      return successes.dropped + failures.dropped + unwritten + leftOut;
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      // Runs once more for requests that were added while the last batch was being written.
      if (batch.length === 0) await flush();
    },
  };
}

function entryOf(principal: Principal, answered: AnsweredRequest, clock: Clock): LoggedRequest {
  const [kind, credentialId] = countedAs(principal);
  return {
    ...answered,
    orgId: principal.orgId,
    kind,
    credentialId,
    userId: principal.client?.userId ?? null,
    at: new Date(clock.now().getTime() - answered.durationMs),
    count: 1,
  };
}
