import { refuseEnvironment } from './environment.errors.js';
import type { Limits } from './excursion.rules.js';
import type { PointContent } from './point.js';

const SILENT_AFTER_SECONDS_DEFAULT = 3_600;

interface LimitsInput {
  min?: number | null | undefined;
  max?: number | null | undefined;
}

export interface PointInput {
  name: string;
  warehouse: string;
  zone?: string | null | undefined;
  temperature?: LimitsInput | null | undefined;
  humidity?: LimitsInput | null | undefined;
  alarmDelaySeconds?: number | undefined;
  silentAfterSeconds?: number | undefined;
  status?: PointContent['status'] | undefined;
}

/** The content of a point; omitted fields take their defaults, also in a replacement. */
export function describePoint(input: PointInput): PointContent {
  return {
    name: input.name,
    warehouse: input.warehouse,
    zone: input.zone ?? null,
    temperature: limitsOf(input.temperature, '/temperature'),
    humidity: limitsOf(input.humidity, '/humidity'),
    alarmDelaySeconds: input.alarmDelaySeconds ?? 0,
    silentAfterSeconds: input.silentAfterSeconds ?? SILENT_AFTER_SECONDS_DEFAULT,
    status: input.status ?? 'active',
  };
}

function limitsOf(input: LimitsInput | null | undefined, path: string): Limits | null {
  const min = input?.min ?? null;
  const max = input?.max ?? null;
  if (min === null && max === null) return null;
  if (min !== null && max !== null && min > max) throw refuseEnvironment('range_crossed', `${path}/min`);
  return { min, max };
}
