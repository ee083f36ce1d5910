import { byKey, type Ended, type Endpoint, keyText } from './endpoint.js';
import { type OutcomeOptions, recordOutcome } from './record-outcome.js';
import { recordDeliveredAttempts } from './results.store.js';

interface RecorderOptions extends OutcomeOptions {
  /** Results of a moment go into one statement. */
  gapMs: number;
  onWritten(endpoint: Endpoint): void;
  onLost(endpoint: Endpoint): void;
  /** It is disabled by now, perhaps by these results. */
  onDisabled(endpoint: Endpoint): void;
  onError(error: unknown): void;
}

const RETRY_MS = 500;
const BATCH_MAX = 2_000;
const STATEMENTS_MAX = 2;

/** A batch of one endpoint, being written. */
interface Writing {
  endpoint: Endpoint;
  results: Ended[];
  settledTo: number;
  /** Of the configuration by which that was reckoned. */
  version: number;
}

/** Writes what became of pushes, in few statements; what could not be written is tried again. */
export class Recorder {
  /** Results not written yet. */
  waiting = 0;
  readonly #options: RecorderOptions;
  readonly #dirty = new Set<Endpoint>();
  #timer: NodeJS.Timeout | null = null;
  #writing = 0;
  #statements = 0;
  #calm: (() => void)[] = [];

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** The endpoint has one more result. */
  note(endpoint: Endpoint): void {
    this.waiting++;
    this.#dirty.add(endpoint);
    if (!endpoint.writing) this.#schedule(this.#options.gapMs);
  }

  /** Resolves when everything noted is written. */
  drained(): Promise<void> {
    if (this.#writing === 0 && this.#dirty.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#calm.push(resolve);
    });
  }

  #schedule(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, afterMs);
  }

  #flush(): void {
    // While statements are under way, results gather for the next one.
    if (this.#statements >= STATEMENTS_MAX) {
      this.#schedule(this.#options.gapMs);
      return;
    }
    const plain: Writing[] = [];
    let count = 0;
    for (const endpoint of [...this.#dirty].sort(byKey)) {
      if (endpoint.writing || count >= BATCH_MAX) continue;
      count += endpoint.results.length;
      const isPlain = endpoint.results.every((result) => result.attempt.delivered && !result.stored);
      const write = this.#begin(endpoint);
      if (isPlain) plain.push(write);
      else void this.#writeOutcome(write);
    }
    if (plain.length > 0) void this.#writeDelivered(plain);
  }

  #begin(endpoint: Endpoint): Writing {
    const results = endpoint.results;
    endpoint.results = [];
    endpoint.writing = true;
    this.#writing++;
    this.#dirty.delete(endpoint);
    const { version } = endpoint.facts;
    return { endpoint, results, settledTo: endpoint.settle(results), version };
  }

  #end({ endpoint, results, settledTo, version }: Writing, outcome: 'written' | 'lost' | 'failed'): void {
    endpoint.writing = false;
    this.#writing--;
    if (outcome === 'failed') endpoint.results = [...results, ...endpoint.results];
    else this.waiting -= results.length;
    if (outcome === 'lost') {
      this.waiting -= endpoint.results.length;
      endpoint.results = [];
      this.#options.onLost(endpoint);
    } else if (endpoint.results.length > 0) this.#dirty.add(endpoint);
    if (outcome === 'written') {
      endpoint.wrote(results, version === endpoint.facts.version ? settledTo : 0);
      this.#options.onWritten(endpoint);
    }
    if (this.#dirty.size > 0) this.#schedule(outcome === 'failed' ? RETRY_MS : this.#options.gapMs);
    if (this.#writing === 0 && this.#dirty.size === 0) for (const resolve of this.#calm.splice(0)) resolve();
  }

  /** First attempts that succeeded, of all endpoints together. */
  async #writeDelivered(writes: readonly Writing[]): Promise<void> {
    this.#statements++;
    try {
      const batches = writes.map(({ endpoint, results, settledTo, version }) => ({
        orgId: endpoint.orgId,
        webhookId: endpoint.webhookId,
        token: endpoint.token,
        settledTo,
        version,
        attempts: results.map((result) => result.attempt),
      }));
      const { worker } = this.#options.database;
      const written = new Set((await recordDeliveredAttempts(worker, batches)).map(keyText));
      for (const write of writes) {
        // Disabled meanwhile, or the lease is lost: the longer way finds out which.
        if (written.has(keyText(write.endpoint))) this.#end(write, 'written');
        else void this.#writeOutcome(write);
      }
    } catch (error) {
      this.#options.onError(error);
      for (const write of writes) this.#end(write, 'failed');
    } finally {
      this.#statements--;
    }
  }

  async #writeOutcome(write: Writing): Promise<void> {
    try {
      const status = await recordOutcome(this.#options, write.endpoint, write.results, write);
      if (status === 'disabled') this.#options.onDisabled(write.endpoint);
      this.#end(write, status === 'lost' ? 'lost' : 'written');
    } catch (error) {
      this.#options.onError(error);
      this.#end(write, 'failed');
    }
  }
}
