import type { Metric } from './excursion.rules.js';

export const ALERT_STATUSES = ['open', 'closed'] as const;
export const UNIT: Readonly<Record<Metric, string>> = { temperature: '°C', humidity: '%' };

export interface Alert {
  alertId: string;
  pointId: string;
  /** Name, place and limits of the point are those at the time the alert opened. */
  pointName: string;
  warehouse: string;
  zone: string | null;
  metric: Metric;
  lowerLimit: number | null;
  upperLimit: number | null;
  startedAt: Date;
  openedAt: Date;
  lowest: number;
  highest: number;
  lastValue: number;
  lastObservedAt: Date;
  repeats: number;
  lastToldAt: Date;
  closedAt: Date | null;
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
  acknowledgement: string | null;
  updatedAt: Date;
}

/** A batch in the alert's warehouse whose storage range does not allow the values read. */
export interface AffectedBatch {
  productCode: string;
  productName: string;
  batchNo: string;
  expiryDate: string | null;
  quantity: number;
  /** On hold because of this alert. */
  held: boolean;
  /** Was put on hold because of this alert; may have been released since. */
  wasHeld: boolean;
}
