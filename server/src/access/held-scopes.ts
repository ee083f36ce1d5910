import { forbidden } from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';

/** A caller can give away only scopes it has. */
export function requireHeldScopes(principal: Principal, scopes: readonly string[]): void {
  const lacking = scopes.find((scope) => !principal.scopes.has(scope));
  if (lacking !== undefined) throw forbidden('scope_missing', `needs ${lacking} to give it away`);
}
