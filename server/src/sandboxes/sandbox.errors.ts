import { ApiError, type Reasons, refusalOf } from '../platform/errors/index.js';
import type { Principal } from '../platform/principal.js';

export const sandboxReasons = {
  not_a_sandbox: {
    kind: 'forbidden',
    meaning: 'only a credential of a sandbox may do this, never one of production',
    remedy: 'Open a sandbox with `POST /v2/sandboxes` and use its key, which begins with `lwt_`.',
  },
  production_only: {
    kind: 'forbidden',
    meaning: 'a sandbox has no sandboxes of its own',
    remedy: 'Use a credential of the organization that opened the sandbox.',
  },
  too_many_sandboxes: {
    kind: 'invalid',
    meaning: 'the organization has five sandboxes, or opened twenty in 24 hours, which is the most',
    remedy: 'End one with `DELETE /v2/sandboxes/{sandboxId}`, or use one that you have.',
  },
  sandbox_ended: {
    kind: 'invalid',
    meaning: 'the sandbox has ended',
    remedy: 'Open a new one with `POST /v2/sandboxes`.',
  },
  clock_too_far: {
    kind: 'invalid',
    meaning: 'the clock of a sandbox moves at most 366 days in one call, and 3660 days in all',
    remedy: 'Advance by fewer days, or open a new sandbox.',
  },
} as const satisfies Reasons;

export const refuseSandbox = refusalOf(sandboxReasons);

const refuseCredential = (reason: 'not_a_sandbox' | 'production_only'): ApiError =>
  new ApiError('forbidden', [{ path: null, reason, message: sandboxReasons[reason].meaning }]);

export function requireSandbox({ sandbox }: Principal): void {
  if (sandbox === null) throw refuseCredential('not_a_sandbox');
}

export function requireProduction({ sandbox }: Principal): void {
  if (sandbox !== null) throw refuseCredential('production_only');
}
