import { byKey, type Endpoint, keyText, type ResultBatch } from './endpoint.js';
import { type OutcomeOptions, recordOutcome } from './record-outcome.js';
import { recordDeliveredAttempts } from './results.store.js';

interface RecorderOptions extends OutcomeOptions {
  /** Results that arrive within this time share a statement. */
  gapMs: number;
  onWritten(endpoint: Endpoint): void;
  onLost(endpoint: Endpoint): void;
  /** The endpoint is disabled, possibly because of the results just written. */
  onDisabled(endpoint: Endpoint): void;
  onError(error: unknown): void;
}

const RETRY_MS = 500;
const BATCH_MAX = 2_000;
const STATEMENTS_MAX = 2;
/**
 * Concurrent transactions of one organization: few, so that connections are left for others. Its results accumulate
 * meanwhile.
 */
const OUTCOMES_PER_ORG_MAX = 2;

interface Write {
  endpoint: Endpoint;
  batch: ResultBatch;
}

/** Writes the results of pushes in few statements, and retries the writes that fail. */
export class Recorder {
  readonly #options: RecorderOptions;
  /** Endpoints with unwritten results, in the order of their turns. */
  readonly #dirty = new Set<Endpoint>();
  /** Transactions that are running, by organization. */
  readonly #outcomes = new Map<string, number>();
  #unwritten = 0;
  #timer: NodeJS.Timeout | null = null;
  #writes = 0;
  #statements = 0;
  #drainWaiters: (() => void)[] = [];

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Results not written yet. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** The endpoint has one more result. */
  add(endpoint: Endpoint): void {
    this.#unwritten++;
    this.#dirty.add(endpoint);
    if (!endpoint.isWriting) this.#schedule(this.#options.gapMs);
  }

  /** Resolves when every result is written. */
  drained(): Promise<void> {
    if (this.#isDrained) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drainWaiters.push(resolve);
    });
  }

  get #isDrained(): boolean {
    return this.#writes === 0 && this.#dirty.size === 0;
  }

  #schedule(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, afterMs);
  }

  #flush(): void {
    // While statements are running, results accumulate for the next one.
    if (this.#statements >= STATEMENTS_MAX) {
      this.#schedule(this.#options.gapMs);
      return;
    }
    const plain: Write[] = [];
    let count = 0;
    for (const endpoint of this.#dirty) {
      if (count >= BATCH_MAX) break;
      const isPlain = endpoint.hasOnlyFirstSuccesses;
      if (endpoint.isWriting || (!isPlain && this.#outcomesOf(endpoint.orgId) >= OUTCOMES_PER_ORG_MAX))
        continue;
      const batch = endpoint.startWrite();
      count += batch.results.length;
      this.#writes++;
      this.#dirty.delete(endpoint);
      if (isPlain) plain.push({ endpoint, batch });
      else void this.#writeOutcome({ endpoint, batch });
    }
    if (plain.length > 0) void this.#writeDelivered(plain.sort((a, b) => byKey(a.endpoint, b.endpoint)));
  }

  #outcomesOf(orgId: string): number {
    return this.#outcomes.get(orgId) ?? 0;
  }

  #countOutcome({ orgId }: Endpoint, change: 1 | -1): void {
    const count = this.#outcomesOf(orgId) + change;
    if (count > 0) this.#outcomes.set(orgId, count);
    else this.#outcomes.delete(orgId);
  }

  /** Writes first attempts that succeeded, of all endpoints in one statement. */
  async #writeDelivered(writes: readonly Write[]): Promise<void> {
    this.#statements++;
    try {
      const batches = writes.map(({ endpoint, batch }) => ({
        orgId: endpoint.orgId,
        webhookId: endpoint.webhookId,
        token: endpoint.token,
        watermark: batch.watermark,
        version: batch.version,
        attempts: batch.results.map((result) => result.attempt),
      }));
      const { worker } = this.#options.database;
      const written = new Set((await recordDeliveredAttempts(worker, batches)).map(keyText));
      for (const write of writes) {
        if (written.has(keyText(write.endpoint))) this.#endWritten(write);
        // Disabled meanwhile, or the lease is lost: the full transaction determines which.
        else void this.#writeOutcome(write);
      }
    } catch (error) {
      this.#options.onError(error);
      for (const write of writes) this.#endFailed(write);
    } finally {
      this.#statements--;
    }
  }

  async #writeOutcome(write: Write): Promise<void> {
    const { endpoint, batch } = write;
    this.#countOutcome(endpoint, 1);
    try {
      const status = await recordOutcome(this.#options, endpoint, batch);
      if (status === 'disabled') {
        endpoint.disable();
        this.#options.onDisabled(endpoint);
      }
      if (status === 'lost') this.#endLost(write);
      else this.#endWritten(write);
    } catch (error) {
      this.#options.onError(error);
      this.#endFailed(write);
    } finally {
      this.#countOutcome(endpoint, -1);
    }
  }

  #endWritten({ endpoint, batch }: Write): void {
    endpoint.endWrite(batch);
    this.#unwritten -= batch.results.length;
    this.#options.onWritten(endpoint);
    this.#end(endpoint, this.#options.gapMs);
  }

  #endLost({ endpoint, batch }: Write): void {
    this.#unwritten -= batch.results.length + endpoint.abandonWrite();
    this.#options.onLost(endpoint);
    this.#end(endpoint, this.#options.gapMs);
  }

  #endFailed({ endpoint, batch }: Write): void {
    endpoint.retryWrite(batch);
    this.#end(endpoint, RETRY_MS);
  }

  #end(endpoint: Endpoint, nextInMs: number): void {
    this.#writes--;
    if (endpoint.unwrittenCount > 0) this.#dirty.add(endpoint);
    else this.#dirty.delete(endpoint);
    if (this.#dirty.size > 0) this.#schedule(nextInMs);
    if (this.#isDrained) for (const resolve of this.#drainWaiters.splice(0)) resolve();
  }
}
