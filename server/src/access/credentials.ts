import type { Clock } from '../platform/clock/index.js';
import type { Principal } from '../platform/principal.js';

/** A credential that was found good, and everything the gate needs to know about it. */
export interface Credential {
  kind: CredentialKind;
  id: string;
  principal: Principal;
  /** Requests are counted under this name. */
  countedAs: string;
  requestsPerMinute: number;
  allows: (address: string) => boolean;
}

export type CredentialKind = 'key' | 'client' | 'session';

export interface Judged {
  credential: Credential | null;
  /** The credential stops being good at this instant even if nothing changes. */
  validUntilMs: number;
}
export const REFUSED: Judged = Object.freeze({ credential: null, validUntilMs: 0 });

/** Judges tokens of one kind; null, and nobody is asked, when the token is not of that kind. */
export type Resolver = (token: string) => Promise<Judged> | null;

interface Entry extends Judged {
  checkedAtMs: number;
  used: boolean;
}

/** Nothing is believed longer than this without asking the database again: revocation holds within a second. */
const BELIEVED_MS = 800;
const RENEW_EVERY_MS = 350;
const ENTRIES_MAX = 20_000;

export interface Credentials {
  /** The credential behind a token, null when there is none; at once when it was checked a moment ago. */
  resolve(token: string): Credential | null | Promise<Credential | null>;
  close(): void;
}

/** Verified tokens are kept for a moment and renewed together, so that most requests ask the database nothing. */
export function openCredentials(
  resolvers: readonly Resolver[],
  clock: Clock,
  monotonicMs: () => number,
): Credentials {
  const entries = new Map<string, Entry>();

  const check = async (token: string, judging: Promise<Judged>): Promise<Entry> => {
    const checkedAtMs = monotonicMs();
    const entry = { checkedAtMs, used: true, ...(await judging) };
    if (entry.credential) {
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value as string);
      entries.set(token, entry);
    } else {
      entries.delete(token);
    }
    return entry;
  };

  const judge = (token: string): Promise<Judged> | null => {
    for (const resolver of resolvers) {
      const judging = resolver(token);
      if (judging) return judging;
    }
    return null;
  };

  const renew = () => {
    for (const [token, entry] of entries) {
      const judging = entry.used ? judge(token) : null;
      if (!judging) {
        entries.delete(token);
        continue;
      }
      entry.used = false;
      // A failure leaves the entry to grow old: the next request asks again and reports it.
      check(token, judging).then(
        (fresh) => {
          fresh.used = false;
        },
        () => {},
      );
    }
  };
  const timer = setInterval(renew, RENEW_EVERY_MS);
  timer.unref();

  return {
    resolve(token) {
      const entry = entries.get(token);
      if (entry && monotonicMs() - entry.checkedAtMs <= BELIEVED_MS) {
        entry.used = true;
        return clock.now().getTime() <= entry.validUntilMs ? entry.credential : null;
      }
      const judging = judge(token);
      return judging && check(token, judging).then((fresh) => fresh.credential);
    },
    close: () => clearInterval(timer),
  };
}
