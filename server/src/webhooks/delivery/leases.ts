import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Database } from '../../platform/database/index.js';
import { byKey, type Endpoint, keyText } from './endpoint.js';
import {
  claimLeases,
  type EndpointFacts,
  type EndpointKey,
  heartbeat,
  readClusterState,
  readEndpoints,
  releaseLeases,
  removeWorker,
  renewLeases,
  type Work,
} from './lease.store.js';

export interface LeaseTimes {
  leaseMs: number;
  /** An endpoint without work is kept this long, so that its next event finds it leased. */
  lingerMs: number;
}

interface Claimed {
  facts: EndpointFacts;
  lease: { token: string; safeUntilMs: number };
}

const REMOVE_DEAD_AFTER_MS = 3_600_000;
/** The maximum number claimed in one statement. */
const CLAIM_MAX = 2_000;

/**
 * The endpoints this process sends for. A lease lasts some seconds and is renewed; when a process dies, others take its
 * endpoints over after the leases have expired. Each process holds about an equal share.
 */
export class Leases {
  readonly #workerId = randomBytes(9).toString('base64url');
  readonly #database: Database;
  readonly #times: LeaseTimes;
  readonly #held = new Map<string, Endpoint>();
  #otherWorkers = 0;
  #leasedByAll = 0;
  /** Endpoints that had work but no lease when last listed: no process took them as part of its share. */
  #unclaimed = new Set<string>();

  constructor(database: Database, times: LeaseTimes) {
    this.#database = database;
    this.#times = times;
  }

  get held(): Endpoint[] {
    return [...this.#held.values()];
  }

  hasAnyOf(orgId: string): boolean {
    for (const endpoint of this.#held.values()) if (endpoint.orgId === orgId) return true;
    return false;
  }

  find(key: EndpointKey): Endpoint | undefined {
    return this.#held.get(keyText(key));
  }

  hold(endpoint: Endpoint): void {
    this.#held.set(keyText(endpoint), endpoint);
  }

  /** Stops sending for an endpoint whose lease is lost, or whose webhook is gone. */
  drop(endpoint: Endpoint): void {
    endpoint.drain();
    if (this.find(endpoint) === endpoint) this.#held.delete(keyText(endpoint));
  }

  async heartbeat(): Promise<void> {
    const { worker, time } = this.#database;
    const now = time.now();
    const { others, leased } = await readClusterState(worker, this.#workerId, now);
    this.#otherWorkers = others;
    this.#leasedByAll = leased;
    const until = new Date(now.getTime() + this.#times.leaseMs);
    const deadBefore = new Date(now.getTime() - REMOVE_DEAD_AFTER_MS);
    await heartbeat(worker, this.#workerId, until, deadBefore);
  }

  hasFree(work: readonly Work[]): boolean {
    const now = this.#database.time.now();
    return work.some((w) => this.#isFree(w, now));
  }

  #isFree(work: Work, now: Date): boolean {
    return !this.find(work) && (work.leasedUntil === null || work.leasedUntil <= now);
  }

  /** Claims free endpoints that have work, up to this process's share. `isEverything`: `work` covers all organizations. */
  async claim(work: readonly Work[], isEverything: boolean): Promise<Claimed[]> {
    const now = this.#database.time.now();
    const free = work.filter((w) => this.#isFree(w, now));
    const room = this.#share(free.length) - this.#held.size;
    const wanted = free.filter((w, i) => i < room || this.#unclaimed.has(keyText(w))).slice(0, CLAIM_MAX);
    if (isEverything) this.#unclaimed = new Set(free.filter((w) => !wanted.includes(w)).map(keyText));
    if (wanted.length === 0) return [];
    const tokens = new Map(wanted.map((w) => [keyText(w), randomBytes(12).toString('base64url')]));
    const claims = wanted.map((w) => ({ ...w, token: tokens.get(keyText(w)) ?? '' })).sort(byKey);
    const safeUntilMs = performance.now() + this.#times.leaseMs;
    const until = new Date(now.getTime() + this.#times.leaseMs);
    const owner = this.#workerId;
    const claimed = await claimLeases(this.#database.worker, claims, { owner, now, until });
    if (claimed.length === 0) return [];
    return (await readEndpoints(this.#database.worker, claimed)).map((facts) => ({
      facts,
      lease: { token: tokens.get(keyText(facts)) ?? '', safeUntilMs },
    }));
  }

  /** Renews all leases. Returns the endpoints whose lease is lost, and those whose configuration has changed. */
  async renew(): Promise<{ lost: Endpoint[]; changed: Endpoint[] }> {
    const endpoints = this.held;
    if (endpoints.length === 0) return { lost: [], changed: [] };
    const now = this.#database.time.now();
    const safeUntilMs = performance.now() + this.#times.leaseMs;
    const until = new Date(now.getTime() + this.#times.leaseMs);
    const leases = endpoints.map((endpoint) => endpoint.lease).sort(byKey);
    const rows = await renewLeases(this.#database.worker, leases, until);
    const versions = new Map(rows.map((row) => [keyText(row), row.version]));
    const isRenewed = (endpoint: Endpoint) => versions.has(keyText(endpoint));
    for (const endpoint of endpoints) if (isRenewed(endpoint)) endpoint.extendLease(safeUntilMs);
    return {
      lost: endpoints.filter((endpoint) => !isRenewed(endpoint)),
      changed: endpoints.filter((endpoint) => (versions.get(keyText(endpoint)) ?? 0) > endpoint.version),
    };
  }

  /** Releases endpoints that have been idle for a while, and those beyond this process's share. */
  async releaseSurplus(): Promise<void> {
    const surplus = this.#otherWorkers === 0 ? 0 : this.#held.size - this.#share(0) - 1;
    for (const endpoint of this.held.slice(0, Math.max(surplus, 0))) endpoint.drain();
    const { lingerMs } = this.#times;
    await this.#release(this.held.filter((e) => (e.isDraining && e.isQuiet) || e.hasIdledFor(lingerMs)));
  }

  /** Releases everything and leaves the cluster. */
  async leave(): Promise<void> {
    await this.#release(this.held);
    await removeWorker(this.#database.worker, this.#workerId);
  }

  async #release(endpoints: readonly Endpoint[]): Promise<void> {
    if (endpoints.length === 0) return;
    for (const endpoint of endpoints) {
      // Timers may still refer to it, and must not start anything.
      endpoint.drain();
      this.#held.delete(keyText(endpoint));
    }
    await releaseLeases(this.#database.worker, endpoints.map((endpoint) => endpoint.lease).sort(byKey));
  }

  /** An equal part of all endpoints that are leased or free. */
  #share(free: number): number {
    const total = Math.max(this.#leasedByAll, this.#held.size) + free;
    return Math.ceil(total / (this.#otherWorkers + 1));
  }
}
