import type { Limits } from './excursion.rules.js';

export const POINT_STATUSES = ['active', 'retired'] as const;
export const POINT_STATES = ['normal', 'alert', 'silent', 'no_data', 'retired'] as const;

/** The whole content of a monitoring point, as each request sends it. */
export interface PointContent {
  name: string;
  warehouse: string;
  zone: string | null;
  temperature: Limits | null;
  humidity: Limits | null;
  alarmDelaySeconds: number;
  silentAfterSeconds: number;
  status: (typeof POINT_STATUSES)[number];
}

interface LastReading {
  at: Date;
  /** The newest value of each metric, which may come from an earlier reading. */
  temperature: number | null;
  humidity: number | null;
}

/** A monitoring point with its current state. */
export interface Point extends PointContent {
  pointId: string;
  state: (typeof POINT_STATES)[number];
  lastReading: LastReading | null;
  openAlerts: number;
  createdAt: Date;
  /** Increases by one with every change of its content. Readings change only its state. */
  version: number;
  updatedAt: Date;
}
