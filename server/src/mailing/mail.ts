import type { SecretBox } from '../platform/secrets/index.js';

export interface NewMail {
  /** Deduplicates mails, such as `webhook_disabled:whk_…:3`: one mail is sent per key. */
  dedupeKey: string;
  to: readonly string[];
  subject: string;
  text: string;
  /** Set for a mail with a secret: it is stored sealed in this box. */
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
  /** How often it was claimed, this time included. */
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
