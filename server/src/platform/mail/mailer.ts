export interface Mail {
  /** Names the mail for good: sent again under the same id, it is the same mail. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface Sender {
  readonly name: string;
  readonly address: string;
}

export interface Mailer {
  /** Throws `RecipientsRejected` where some or all recipients did not get it, anything else where nobody is known to. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

export class RecipientsRejected extends Error {
  /** Those who got it all the same. */
  readonly accepted: readonly string[];

  constructor(rejected: readonly string[], accepted: readonly string[], why: string) {
    super(`not accepted for ${rejected.join(', ')}: ${why}`);
    this.name = 'RecipientsRejected';
    this.accepted = accepted;
  }
}
