export const SANDBOX_DATA = ['catalogue', 'demo', 'empty'] as const;
/** The data that a sandbox begins with. */
export type SandboxData = (typeof SANDBOX_DATA)[number];

export const SANDBOX_STATUSES = ['active', 'ended'] as const;
export const END_REASONS = ['deleted', 'unused'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** Live ones of one organization. */
export const SANDBOXES_MAX = 5;
/** Opened by one organization in 24 hours, ended ones included: what is in a sandbox stays stored. */
export const OPENED_PER_DAY_MAX = 20;
/** A sandbox that no credential used for so long is ended. */
export const UNUSED_DAYS_MAX = 30;

/** A sandbox as the organization that opened it keeps it. */
export interface Sandbox {
  /** The organization of the sandbox. */
  sandboxId: string;
  code: string;
  name: string;
  data: SandboxData;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  endedAt: Date | null;
  endReason: EndReason | null;
}
