/** A record that waits for someone, as task lists show it. */
export interface WaitingRecord {
  id: string;
  /** The number or name by which people know it. */
  name: string;
  detail: string | null;
  since: Date;
  /** The last day on which a certificate is valid. */
  validTo?: string | null;
  /** Still ongoing, like an alert in a room that is too warm. */
  isOngoing?: boolean;
}
