export type ScanHandler = (code: string) => void | Promise<void>;

/** Why a code was not handled. */
export interface UnhandledScans {
  /** No part of the page uses codes. */
  onUnused(code: string): void;
  /** A window covers the page, so its effect behind the window would not be visible. */
  onCovered(code: string): void;
}

/** The parts of the page that use scanned codes. The one shown last gets them, one after the other. */
export class ScanHandlers {
  readonly #handlers: { current: ScanHandler }[] = [];
  /** Each code is counted on top of those before it, so its handler waits for theirs. */
  #handled: Promise<void> = Promise.resolve();
  readonly #isCovered: () => boolean;
  readonly #onError: (error: unknown) => void;

  constructor(isCovered: () => boolean, onError: (error: unknown) => void) {
    this.#isCovered = isCovered;
    this.#onError = onError;
  }

  /** Returns a function that removes it. */
  add(handler: { current: ScanHandler }): () => void {
    this.#handlers.push(handler);
    return () => {
      const at = this.#handlers.lastIndexOf(handler);
      if (at >= 0) this.#handlers.splice(at, 1);
    };
  }

  /** Resolves when the code has been handled. A code is dropped if its part of the page has disappeared meanwhile. */
  dispatch(code: string, unhandled: UnhandledScans): Promise<void> {
    const handler = this.#handlers.at(-1);
    if (this.#isCovered()) unhandled.onCovered(code);
    else if (!handler) unhandled.onUnused(code);
    else
      this.#handled = this.#handled
        .then(() => (this.#handlers.includes(handler) ? handler.current(code) : undefined))
        .catch(this.#onError);
    return this.#handled;
  }
}
