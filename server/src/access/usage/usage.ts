/** What a credential is counted as: of the console it is the person that counts, whichever session they use. */
export const USAGE_KINDS = ['api_key', 'oauth', 'console'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

export interface UsageCounts {
  /** All, also those that were refused. */
  requests: number;
  /** Answered 4xx, but not 429. */
  clientErrors: number;
  serverErrors: number;
  /** Answered 429. */
  limited: number;
}

/** What one credential did in one hour, as far as it is not written down yet. */
export interface HourOfUse extends UsageCounts {
  orgId: string;
  kind: UsageKind;
  credentialId: string;
  hour: Date;
}

export const USAGE_STEPS = ['hour', 'day'] as const;
export type UsageStep = (typeof USAGE_STEPS)[number];
