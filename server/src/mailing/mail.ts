import type { SecretBox } from '../platform/secrets/index.js';

export interface NewMail {
  /** What the mail is about, such as `webhook_disabled:whk_…:3`: of all mails with the same key one is sent. */
  dedupeKey: string;
  to: readonly string[];
  subject: string;
  text: string;
  /** It carries a secret: it waits sealed in this box. */
  sealedIn?: SecretBox;
}

/** A mail that a worker has taken to send. */
export interface ClaimedMail {
  mailId: string;
  recipients: string[];
  deliveredTo: string[];
  subject: string;
  body: string;
  bodySealed: boolean;
  /** How often it was taken, this time included. */
  attempts: number;
  /** End of this worker's claim; also distinguishes the claim from a later one. */
  claimedUntil: Date;
}

export interface MailFailure {
  orgId: string;
  mailId: string;
  attempts: number;
  error: string;
  /** Null: permanently failed. */
  nextAttemptAt: Date | null;
}
