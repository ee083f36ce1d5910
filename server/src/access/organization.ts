export const EDITIONS = ['ordinary', 'standard'] as const;
export type Edition = (typeof EDITIONS)[number];

export const ORGANIZATION_STATUSES = ['active', 'suspended'] as const;
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number];

export interface Organization {
  orgId: string;
  code: string;
  name: string;
  edition: Edition;
  timeZone: string;
  status: OrganizationStatus;
  /** Whoever picked may also re-check. */
  samePersonRecheck: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** Requests a minute and credential. */
export const REQUESTS_PER_MINUTE: Readonly<Record<Edition, number>> = { ordinary: 100, standard: 1000 };
export const RATE_WINDOW_MS = 60_000;

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

export const USER_ROLES = ['admin', 'quality', 'warehouse', 'sales', 'viewer'] as const;
export type UserRole = (typeof USER_ROLES)[number];
