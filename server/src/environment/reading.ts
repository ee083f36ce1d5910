import type { Excursion, PointWatch } from './excursion.rules.js';
import type { PointContent } from './point.js';

/** One reading as a sensor or gateway sends it. */
export interface NewReading {
  pointId: string;
  /** An RFC 3339 date-time; stored with millisecond precision. */
  at: string;
  temperature?: number | null | undefined;
  humidity?: number | null | undefined;
}

export interface Reading {
  pointId: string;
  at: Date;
  temperature: number | null;
  humidity: number | null;
}

/** The outcome of a batch. */
export interface RecordedReadings {
  received: number;
  stored: number;
  /** Readings whose point and instant were stored before. */
  duplicates: number;
  /** Stored readings that are not newer than the newest of their point. They never alert. */
  late: number;
  /** Alerts opened by this batch. */
  alerts: string[];
}

/** A point locked for a batch: its limits and its state. */
export interface WatchedPoint
  extends Pick<PointContent, 'name' | 'warehouse' | 'zone' | 'temperature' | 'humidity' | 'status'> {
  pointId: string;
  alarmDelaySeconds: number;
  watch: PointWatch;
  eventVersion: number;
  lastEventAt: number | null;
}

export type OpenExcursion = Excursion & { pointId: string };

interface Extremes {
  min: number;
  avg: number;
  max: number;
}

/** Aggregated readings of a span of time. */
export interface Bucket {
  /** Where its span begins. */
  at: Date;
  firstAt: Date;
  lastAt: Date;
  count: number;
  temperature: Extremes | null;
  humidity: Extremes | null;
}
