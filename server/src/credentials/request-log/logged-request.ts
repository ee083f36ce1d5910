import type { UsageKind } from '../usage/usage.js';

/** A problem as it was answered. */
export interface LoggedIssue {
  path: string | null;
  reason: string;
  message: string;
}

/** An answered request without anything secret: no body, query or headers. */
export interface AnsweredRequest {
  requestId: string;
  /** The `X-Request-Id` that the caller gave it. */
  callerRequestId: string | null;
  method: string;
  /** The pattern of its route. */
  route: string;
  path: string;
  status: number;
  /** Null for a success. */
  issues: readonly LoggedIssue[] | null;
  durationMs: number;
  requestBytes: number;
  /** Null for a response whose length is not known before it is sent. */
  responseBytes: number | null;
}

export interface LoggedRequest extends AnsweredRequest {
  orgId: string;
  kind: UsageKind;
  /** The key or client; for the console, the person. */
  credentialId: string;
  /** The person on whose behalf an OAuth client called. */
  userId: string | null;
  at: Date;
  /** The number of equal refusals by the rate limit that this entry represents. */
  count: number;
}

export const isFailure = ({ status }: { status: number }): boolean => status >= 400;
