import { parseUrl } from '../platform/parse-url.js';

/** Where the service is found: the name under which it signs, and whose tokens it takes. */
export interface Issuer {
  origin(): string;
  /** The origin was given, so nobody else signs for this database. */
  fixed: boolean;
}

/** Whom a token of that issuer is for. */
export const audienceOf = (issuer: string): string => `${issuer}/v2`;

/** Processes without a given name sign with the address they listen on: the same machine, each on a port of its own. */
export function isOurs({ origin, fixed }: Issuer, name: string): boolean {
  const own = origin();
  if (name === own) return true;
  const other = fixed ? null : parseUrl(name);
  if (other === null || other.origin !== name) return false;
  const { protocol, hostname } = new URL(own);
  return other.protocol === protocol && other.hostname === hostname;
}
