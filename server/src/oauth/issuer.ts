import { parseUrl } from '../platform/parse-url.js';

/** The origin of the service, which issues its tokens and decides which issuers it accepts. */
export interface Issuer {
  origin(): string;
  /** The origin is configured, so it is the only issuer of this database. */
  fixed: boolean;
}

export const audienceOf = (issuer: string): string => `${issuer}/v2`;

/** Without a configured origin each process signs with its own listening address: same host, different ports. */
export function isOurs({ origin, fixed }: Issuer, name: string): boolean {
  const own = origin();
  if (name === own) return true;
  const other = fixed ? null : parseUrl(name);
  if (other === null || other.origin !== name) return false;
  const { protocol, hostname } = new URL(own);
  return other.protocol === protocol && other.hostname === hostname;
}
