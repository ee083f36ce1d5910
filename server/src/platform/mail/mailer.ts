export interface Mail {
  /** Identifies the mail permanently: a repeated send with the same id is the same mail. */
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
  /** Throws `RecipientsRejected` if some or all recipients were refused, any other error if delivery is uncertain for all. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

export class RecipientsRejected extends Error {
  /** Recipients to whom the mail was delivered. */
  readonly accepted: readonly string[];

  constructor(rejected: readonly string[], accepted: readonly string[], why: string) {
    super(`not accepted for ${rejected.join(', ')}: ${why}`);
    this.name = 'RecipientsRejected';
    this.accepted = accepted;
  }
}
