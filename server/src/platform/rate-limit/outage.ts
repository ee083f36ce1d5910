export interface OutageEvents {
  onFallback: (error: Error) => void;
  onRecovered: () => void;
}

/** Reports once that an outage began, and once that it ended. */
export class Outage {
  #under = false;
  readonly #events: OutageEvents;

  constructor(events: OutageEvents) {
    this.#events = events;
  }

  get under(): boolean {
    return this.#under;
  }

  begin(error: Error): void {
    if (this.#under) return;
    this.#under = true;
    this.#events.onFallback(error);
  }

  end(): void {
    if (!this.#under) return;
    this.#under = false;
    this.#events.onRecovered();
  }
}

/** Rejects if the response does not arrive in time. */
export function withDeadline<T>(answer: Promise<T>, ms: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    // One more turn of the event loop reads input that has already arrived, so that a pause of this process is not mistaken
    // for an unresponsive peer.
    const late = () => setImmediate(reject, new Error(`no response within ${ms} ms`));
    const timer = setTimeout(late, ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
