import { ApiError, type Reasons } from '../platform/errors/index.js';

export const auditReasons = {
  verification_busy: {
    kind: 'limited',
    meaning: 'the audit chain of this organization is already being verified by several callers',
    remedy: 'Wait as long as `Retry-After` says, then send the same request again.',
  },
} as const satisfies Reasons;

const RETRY_SECONDS = '2';

export const verificationBusy = (): ApiError =>
  new ApiError(
    'limited',
    [{ path: null, reason: 'verification_busy', message: auditReasons.verification_busy.meaning }],
    { headers: { 'retry-after': RETRY_SECONDS } },
  );
