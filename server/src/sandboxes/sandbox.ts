export const SANDBOX_DATA = ['catalogue', 'demo', 'empty'] as const;
/** The data that a sandbox begins with. */
export type SandboxData = (typeof SANDBOX_DATA)[number];

export const SANDBOX_STATUSES = ['active', 'ended'] as const;
export const END_REASONS = ['deleted', 'unused'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** Active sandboxes per organization. */
export const SANDBOXES_MAX = 5;
/** Sandboxes opened per organization in 24 hours, ended ones included, because their data stays stored. */
export const OPENED_PER_DAY_MAX = 20;
/** A sandbox is ended when no credential was used for this long. */
export const UNUSED_DAYS_MAX = 30;

/** A sandbox as recorded in the organization that opened it. */
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
