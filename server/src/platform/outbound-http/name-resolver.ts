import { type LookupAddress, Resolver } from 'node:dns';
import { isIPv6 } from 'node:net';
import { FairQueue } from '../fair-queue/index.js';
import { HostsFile } from './hosts-file.js';
import type { LookUp } from './look-up.js';

export interface NameResolver {
  lookUp: LookUp;
  /** Aborts all pending lookups. */
  close(): void;
}

export interface NameResolverOptions {
  /** Name servers as `address` or `address:port`; without them, those of the host. */
  servers?: readonly string[] | undefined;
  /** How long a lookup may take, including the wait for a free slot. */
  timeoutMs?: number;
  hostsFile?: string;
  /** Monotonic time. */
  now?: () => number;
}

type Callback = Parameters<LookUp>[1];

interface Result {
  error: Error | null;
  addresses: readonly LookupAddress[];
}

const TIMEOUT_MS = 4000;
/** c-ares waits this long for each name server's first answer, and twice as long for its second. */
const TRY_MS = 1200;
const TRIES = 2;
/** Concurrent lookups per caller; the others wait for their turn. */
const AT_ONCE_MAX = 10;
const WAITING_MAX = 1000;
/** Once the addresses of one family are known, those of the other are awaited for this long (RFC 8305). */
const OTHER_FAMILY_MS = 250;
const TTL_MAX_MS = 300_000;
/** A name without an answer is looked up again after this time. */
const FAILURE_MS = 10_000;
const CACHED_MAX = 10_000;

const LOOPBACK = ['127.0.0.1', '::1'];
/** RFC 6761: these names never leave the machine. */
const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

const toAddress = (address: string): LookupAddress => ({ address, family: isIPv6(address) ? 6 : 4 });

const failure = (code: string): Result => ({
  error: Object.assign(new Error(`name lookup failed: ${code}`), { code }),
  addresses: [],
});

/**
 * Resolves the names of receivers by asking the name servers directly. Node's `dns.lookup` would share four threads between
 * all organizations and the file system, so a few names whose name server never answers would block everyone.
 */
export function openNameResolver(options: NameResolverOptions = {}): NameResolver {
  const {
    servers,
    timeoutMs = TIMEOUT_MS,
    hostsFile = '/etc/hosts',
    now = () => performance.now(),
  } = options;
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers && servers.length > 0) resolver.setServers(servers);
  const hosts = new HostsFile(hostsFile, now);
  const cache = new Cache(now);
  const underWay = new Map<string, Callback[]>();
  const turns = new FairQueue({
    atOnce: Number.POSITIVE_INFINITY,
    atOncePerOwner: AT_ONCE_MAX,
    waitingMax: Number.POSITIVE_INFINITY,
    waitingPerOwnerMax: WAITING_MAX,
    waitMs: timeoutMs,
    reason: 'overloaded',
  });

  function begin(host: string, caller: string, answer: (result: Result) => void): void {
    let isSettled = false;
    const settle = (result: Result, ttlMs: number) => {
      if (isSettled) return;
      isSettled = true;
      cache.keep(host, result, ttlMs);
      answer(result);
    };
    const deadline = now() + timeoutMs;
    turns.acquire(caller).then(
      (release) => {
        const late = setTimeout(() => settle(failure('ETIMEOUT'), FAILURE_MS), deadline - now());
        late.unref();
        askForBoth(resolver, host, settle, () => {
          clearTimeout(late);
          release();
        });
      },
      // A lookup that never started says nothing about the name: another caller may succeed.
      () => settle(failure('ETIMEOUT'), 0),
    );
  }

  return {
    lookUp(host, callback, caller) {
      const name = host.toLowerCase();
      const entered = hosts.addressesOf(name);
      const fixed = entered.length > 0 ? entered : isLocalhost(name) ? LOOPBACK : null;
      const known = fixed ? { error: null, addresses: fixed.map(toAddress) } : cache.find(name);
      if (known) {
        process.nextTick(callback, known.error, known.addresses);
        return;
      }
      // Shared only by one caller's connections, because another caller's may have to wait for their turn.
      const question = `${caller} ${name}`;
      const others = underWay.get(question);
      if (others) {
        others.push(callback);
        return;
      }
      const callbacks = [callback];
      underWay.set(question, callbacks);
      begin(name, caller, ({ error, addresses }) => {
        underWay.delete(question);
        for (const each of callbacks) each(error, addresses);
      });
    },
    close: () => resolver.cancel(),
  };
}

/**
 * Queries the addresses of both families. `settle` gets the first complete result; `done` is called when no query remains.
 */
function askForBoth(
  resolver: Resolver,
  host: string,
  settle: (result: Result, ttlMs: number) => void,
  done: () => void,
): void {
  const found: Record<4 | 6, LookupAddress[]> = { 4: [], 6: [] };
  let ttlMs = TTL_MAX_MS;
  let open = 2;
  let problem = 'ENOTFOUND';
  const finish = () => {
    const addresses = [...found[4], ...found[6]];
    if (addresses.length > 0) settle({ error: null, addresses }, ttlMs);
    else settle(failure(problem), FAILURE_MS);
  };
  const note =
    (family: 4 | 6) =>
    (error: NodeJS.ErrnoException | null, records: readonly { address: string; ttl: number }[]) => {
      open--;
      // It is normal for one family to have no addresses.
      if (error && error.code !== 'ENODATA' && error.code !== 'ENOTFOUND')
        problem = error.code === 'ETIMEOUT' ? 'ETIMEOUT' : 'EAI_AGAIN';
      for (const { address, ttl } of error ? [] : records) {
        found[family].push({ address, family });
        ttlMs = Math.min(ttlMs, ttl * 1000);
      }
      if (open === 0) {
        finish();
        done();
      } else if (found[family].length > 0) setTimeout(finish, OTHER_FAMILY_MS).unref();
    };
  resolver.resolve4(host, { ttl: true }, note(4));
  resolver.resolve6(host, { ttl: true }, note(6));
}

/** Caches the most recent answers for as long as their name server allows. */
class Cache {
  readonly #now: () => number;
  readonly #kept = new Map<string, Result & { until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  find(host: string): Result | null {
    const known = this.#kept.get(host);
    if (!known) return null;
    if (known.until > this.#now()) return known;
    this.#kept.delete(host);
    return null;
  }

  keep(host: string, result: Result, ttlMs: number): void {
    if (ttlMs <= 0) return;
    this.#kept.delete(host);
    this.#kept.set(host, { ...result, until: this.#now() + ttlMs });
    if (this.#kept.size <= CACHED_MAX) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}
