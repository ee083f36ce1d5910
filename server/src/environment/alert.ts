import type { Metric } from './excursion.rules.js';

export const ALERT_STATUSES = ['open', 'closed'] as const;
export const UNIT: Readonly<Record<Metric, string>> = { temperature: '°C', humidity: '%' };

export interface Alert {
  alertId: string;
  pointId: string;
  /** Of the point, as it was when the alert opened; so are the limits. */
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
}

/** A batch in the alert's warehouse that may not be kept as warm, cold, moist or dry as it was. */
export interface AffectedBatch {
  productCode: string;
  productName: string;
  batchNo: string;
  expiryDate: string | null;
  quantity: number;
  /** Because of this alert, and not released since. */
  held: boolean;
  /** It was put on hold because of this alert before, released or not. */
  wasHeld: boolean;
}
