/** A record that waits for somebody, as a list of tasks shows it. */
export interface WaitingRecord {
  id: string;
  /** A number or name that people know it by. */
  name: string;
  detail: string | null;
  since: Date;
  /** The last day on which a certificate is valid. */
  validTo?: string | null;
  /** It is still going on, like an alert in a room that is too warm. */
  isOngoing?: boolean;
}
