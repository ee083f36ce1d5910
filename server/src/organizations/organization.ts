import type { SandboxClock } from '../platform/principal.js';

export const EDITIONS = ['ordinary', 'standard'] as const;
export type Edition = (typeof EDITIONS)[number];

export const ORGANIZATION_STATUSES = ['active', 'suspended'] as const;
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number];

export const CERTIFICATE_SUBJECTS = ['supplier', 'product', 'customer'] as const;
export const CERTIFICATE_GATES = ['refuse', 'warn'] as const;

/** A certificate that every supplier, product or customer must have. */
export interface DemandedCertificate {
  subjectType: (typeof CERTIFICATE_SUBJECTS)[number];
  type: string;
}

export interface Organization {
  orgId: string;
  code: string;
  name: string;
  edition: Edition;
  timeZone: string;
  /** The organization that opened this sandbox, and the sandbox's clock; both null in production. */
  sandboxOf: string | null;
  sandbox: SandboxClock | null;
  status: OrganizationStatus;
  /** Whether the person who picked may also re-check. */
  samePersonRecheck: boolean;
  /** Whether a step without its required certificates is refused or allowed with a warning. */
  certificateGate: (typeof CERTIFICATE_GATES)[number];
  demandedCertificates: DemandedCertificate[];
  /** The first day of the books: nothing can be recorded with an earlier date. */
  booksFrom: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Requests per minute of one credential. */
export const REQUESTS_PER_MINUTE: Readonly<Record<Edition, number>> = { ordinary: 100, standard: 1000 };
export const RATE_WINDOW_MS = 60_000;
