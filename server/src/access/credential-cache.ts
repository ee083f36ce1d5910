import type { Clock } from '../platform/clock/index.js';
import type { Credential, Resolution, Resolver } from './credential.js';

interface Entry extends Resolution {
  checkedAtMs: number;
  used: boolean;
}

/** No entry is trusted longer than this without asking the database again, so that revocation holds within a second. */
const CACHED_MS = 800;
const REFRESH_EVERY_MS = 350;
const ENTRIES_MAX = 20_000;

export interface CredentialCache {
  /** The credential of a token, or null; without a promise when it is cached. */
  resolve(token: string): Credential | null | Promise<Credential | null>;
  close(): void;
}

/** Verified tokens are cached briefly and refreshed together, so that most requests need no query. */
export function openCredentialCache(
  resolvers: readonly Resolver[],
  clock: Clock,
  monotonicMs: () => number,
): CredentialCache {
  const entries = new Map<string, Entry>();

  const check = async (token: string, resolving: Promise<Resolution>): Promise<Entry> => {
    const checkedAtMs = monotonicMs();
    const entry = { checkedAtMs, used: true, ...(await resolving) };
    if (entry.credential) {
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value as string);
      entries.set(token, entry);
    } else {
      entries.delete(token);
    }
    return entry;
  };

  const resolveToken = (token: string): Promise<Resolution> | null => {
    for (const resolver of resolvers) {
      const resolving = resolver(token);
      if (resolving) return resolving;
    }
    return null;
  };

  const refresh = () => {
    for (const [token, entry] of entries) {
      const resolving = entry.used ? resolveToken(token) : null;
      if (!resolving) {
        entries.delete(token);
        continue;
      }
      entry.used = false;
      // A failure leaves the entry to expire: the next request asks again and reports it.
      check(token, resolving).then(
        (fresh) => {
          fresh.used = false;
        },
        () => {},
      );
    }
  };
  const timer = setInterval(refresh, REFRESH_EVERY_MS);
  timer.unref();

  return {
    resolve(token) {
      const entry = entries.get(token);
      if (entry && monotonicMs() - entry.checkedAtMs <= CACHED_MS) {
        entry.used = true;
        return clock.now().getTime() <= entry.validUntilMs ? entry.credential : null;
      }
      const resolving = resolveToken(token);
      return resolving && check(token, resolving).then((fresh) => fresh.credential);
    },
    close: () => clearInterval(timer),
  };
}
