import { performance } from 'node:perf_hooks';

const SLOW_AFTER_MS = 2_000;
/**
 * Fewer than the slots of an organization, so that it can send its other mail meanwhile. Organizations that claim at the
 * same moment may exceed it by one each.
 */
const AT_ONCE_MAX = 2;

interface Domain {
  /** When the mails in progress were started. */
  begunMs: Set<{ atMs: number }>;
  isSlow: boolean;
}

/** Keeps mail for a domain whose server is slow from occupying all slots. */
export class SlowDomains {
  readonly #slowAfterMs: number;
  readonly #domains = new Map<string, Domain>();

  constructor(slowAfterMs = SLOW_AFTER_MS) {
    this.#slowAfterMs = slowAfterMs;
  }

  /** Slow domains with so many mails in progress that no other may start. */
  full(): string[] {
    return [...this.#domains]
      .filter(([, domain]) => domain.begunMs.size >= AT_ONCE_MAX && this.#isSlow(domain))
      .map(([name]) => name);
  }

  /** Counts a mail to these domains as in progress until the returned function is called. */
  enter(names: readonly string[]): () => void {
    const begun = { atMs: performance.now() };
    for (const name of names) {
      const domain = this.#domains.get(name) ?? { begunMs: new Set(), isSlow: false };
      this.#domains.set(name, domain);
      domain.begunMs.add(begun);
    }
    return () => {
      for (const name of names) this.#leave(name, begun);
    };
  }

  /** Remembered while mail is in progress: a domain that was slow must not get many mails at a time. */
  #leave(name: string, begun: { atMs: number }): void {
    const domain = this.#domains.get(name);
    if (!domain) return;
    domain.isSlow = this.#tookLong(begun);
    domain.begunMs.delete(begun);
    if (domain.begunMs.size === 0) this.#domains.delete(name);
  }

  #isSlow(domain: Domain): boolean {
    return domain.isSlow || [...domain.begunMs].some((begun) => this.#tookLong(begun));
  }

  #tookLong({ atMs }: { atMs: number }): boolean {
    return performance.now() - atMs >= this.#slowAfterMs;
  }
}
