/** Requests of the console are counted by person, over all of their sessions. */
export const USAGE_KINDS = ['api_key', 'oauth', 'console'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

export interface UsageCounts {
  /** All, refused ones included. */
  requests: number;
  /** Answered 4xx, but not 429. */
  clientErrors: number;
  serverErrors: number;
  /** Answered 429. */
  limited: number;
}

/** The requests of one credential in one hour that are not written yet. */
export interface HourOfUse extends UsageCounts {
  orgId: string;
  kind: UsageKind;
  credentialId: string;
  hour: Date;
}

export const USAGE_STEPS = ['hour', 'day'] as const;
export type UsageStep = (typeof USAGE_STEPS)[number];
