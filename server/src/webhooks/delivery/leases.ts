import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Database } from '../../platform/database/index.js';
import { byKey, type Endpoint, keyText } from './endpoint.js';
import {
  claimLeases,
  type EndpointFacts,
  leave,
  lookAround,
  readEndpoints,
  releaseLeases,
  renewLeases,
  showAlive,
  type Work,
} from './lease.store.js';

export interface LeaseTimes {
  leaseMs: number;
  /** An endpoint without anything to do is kept this long: its next event finds it at hand. */
  lingerMs: number;
}

const GONE_AFTER_MS = 3_600_000;
/** Claimed in one statement at most. */
const CLAIM_MAX = 2_000;

/**
 * Which endpoints this process sends for. A lease lasts some seconds and is renewed; when a process dies, others take
 * its endpoints over once they have run out. Each takes about its share.
 */
export class Leases {
  readonly workerId = randomBytes(9).toString('base64url');
  readonly held = new Map<string, Endpoint>();
  readonly #database: Database;
  readonly #times: LeaseTimes;
  #others = 0;
  #leasedByAll = 0;
  /** Free with something to do when last looked: nobody took them, whatever the shares. */
  #leftOver = new Set<string>();

  constructor(database: Database, times: LeaseTimes) {
    this.#database = database;
    this.#times = times;
  }

  async lookAround(): Promise<void> {
    const now = this.#database.time.now();
    const { others, leased } = await lookAround(this.#database.worker, this.workerId, now);
    this.#others = others;
    this.#leasedByAll = leased;
    const until = new Date(now.getTime() + this.#times.leaseMs);
    const goneBefore = new Date(now.getTime() - GONE_AFTER_MS);
    await showAlive(this.#database.worker, this.workerId, until, goneBefore);
  }

  /** Takes free ones of those with something to do, up to this process's share. */
  async claim(
    work: readonly Work[],
    everything: boolean,
  ): Promise<{ facts: EndpointFacts; token: string; safeUntilMs: number }[]> {
    const now = this.#database.time.now();
    const free = work.filter(
      (w) => !this.held.has(keyText(w)) && (w.leasedUntil === null || w.leasedUntil <= now),
    );
    const room = this.#share(free.length) - this.held.size;
    const wanted = free.filter((w, i) => i < room || this.#leftOver.has(keyText(w))).slice(0, CLAIM_MAX);
    // Only a look at everything says what was left over.
    if (everything) this.#leftOver = new Set(free.filter((w) => !wanted.includes(w)).map(keyText));
    if (wanted.length === 0) return [];
    const tokens = new Map(wanted.map((w) => [keyText(w), randomBytes(12).toString('base64url')]));
    const claims = wanted.map((w) => ({ ...w, token: tokens.get(keyText(w)) ?? '' })).sort(byKey);
    const askedAtMs = performance.now();
    const until = new Date(now.getTime() + this.#times.leaseMs);
    const claimed = await claimLeases(this.#database.worker, claims, { owner: this.workerId, now, until });
    if (claimed.length === 0) return [];
    return (await readEndpoints(this.#database.worker, claimed)).map((facts) => ({
      facts,
      token: tokens.get(keyText(facts)) ?? '',
      safeUntilMs: askedAtMs + this.#times.leaseMs,
    }));
  }

  /** Renews all; answers those that are lost, and those whose configuration has changed. */
  async renew(): Promise<{ lost: Endpoint[]; changed: Endpoint[] }> {
    const endpoints = [...this.held.values()];
    const now = this.#database.time.now();
    if (endpoints.length === 0) return { lost: [], changed: [] };
    const askedAtMs = performance.now();
    const until = new Date(now.getTime() + this.#times.leaseMs);
    const leases = endpoints.map((endpoint) => endpoint.lease).sort(byKey);
    const rows = await renewLeases(this.#database.worker, leases, until);
    const versions = new Map(rows.map((row) => [keyText(row), row.version]));
    for (const endpoint of endpoints) {
      if (versions.has(keyText(endpoint))) endpoint.safeUntilMs = askedAtMs + this.#times.leaseMs;
    }
    return {
      lost: endpoints.filter((endpoint) => !versions.has(keyText(endpoint))),
      changed: endpoints.filter(
        (endpoint) => (versions.get(keyText(endpoint)) ?? 0) > endpoint.facts.version,
      ),
    };
  }

  /** Gives back those without anything to do for a while, and what is more than this process's share. */
  async giveBack(): Promise<void> {
    const nowMs = performance.now();
    let surplus = this.#others === 0 ? 0 : this.held.size - this.#share(0) - 1;
    for (const endpoint of this.held.values()) {
      if (surplus <= 0) break;
      endpoint.leaving = true;
      surplus--;
    }
    const done = [...this.held.values()].filter(
      (e) => (e.leaving && e.isQuiet) || (e.isIdle && nowMs - e.idleSinceMs > this.#times.lingerMs),
    );
    await this.release(done);
  }

  async release(endpoints: readonly Endpoint[]): Promise<void> {
    if (endpoints.length === 0) return;
    for (const endpoint of endpoints) {
      // Whoever still knows it must not begin anything more.
      endpoint.leaving = true;
      this.held.delete(keyText(endpoint));
    }
    await releaseLeases(this.#database.worker, endpoints.map((endpoint) => endpoint.lease).sort(byKey));
  }

  async leave(): Promise<void> {
    await this.release([...this.held.values()]);
    await leave(this.#database.worker, this.workerId);
  }

  /** A fair part of what anybody holds or could hold. */
  #share(free: number): number {
    const total = Math.max(this.#leasedByAll, this.held.size) + free;
    return Math.ceil(total / (this.#others + 1));
  }
}
