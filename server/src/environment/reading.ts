import type { Excursion, PointWatch } from './excursion.rules.js';
import type { PointContent } from './point.js';

/** One reading as a sensor or its gateway tells it. */
export interface NewReading {
  pointId: string;
  /** An RFC 3339 date-time; kept to the millisecond. */
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

/** What became of a batch. */
export interface RecordedReadings {
  received: number;
  stored: number;
  /** There was one of the same point and instant before. */
  duplicates: number;
  /** Of those stored: not newer than what was there. They never alert. */
  late: number;
  /** Opened by this batch. */
  alerts: string[];
}

/** A point locked for a batch: what it demands, and where it stands. */
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

/** Readings of a span of time, taken together. */
export interface Bucket {
  at: Date;
  count: number;
  temperature: Extremes | null;
  humidity: Extremes | null;
}
