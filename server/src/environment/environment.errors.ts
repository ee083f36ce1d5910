import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const environmentReasons = {
  code_mismatch: {
    kind: 'invalid',
    meaning: 'the point in the body is not the one in the path',
    remedy: 'Leave `pointId` out of the body, or make both the same.',
  },
  range_crossed: {
    kind: 'invalid',
    meaning: 'the lower limit is above the upper limit',
    remedy: 'Swap or correct the limits.',
  },
  reading_empty: {
    kind: 'invalid',
    meaning: 'a reading has neither temperature nor humidity',
    remedy: 'Give at least one of them.',
  },
  reading_in_future: {
    kind: 'invalid',
    meaning: 'the instant of a reading is in the future',
    remedy: 'Set the clock of the sensor; it may be at most 5 minutes ahead.',
  },
  reading_too_old: {
    kind: 'invalid',
    meaning: 'the reading is older than the retention period',
    remedy: 'Omit it. The retention period is a setting of the installation.',
  },
  point_retired: {
    kind: 'invalid',
    meaning: 'the monitoring point is retired',
    remedy: 'Make the point active again, or send no readings for it.',
  },
  span_reversed: {
    kind: 'invalid',
    meaning: '`from` is not before `to`',
    remedy: 'Swap or correct the two instants.',
  },
  batch_not_affected: {
    kind: 'invalid',
    meaning: 'the batch is not among those that the alert affects now',
    remedy:
      'Read the alert: `affectedBatches` lists them. To hold any other stock, use `POST /v2/stock/holds`.',
  },
  already_acknowledged: {
    kind: 'invalid',
    meaning: 'the alert is already acknowledged',
    remedy: 'Nothing is left to do: the alert shows by whom and when.',
  },
} as const satisfies Reasons;

export const refuseEnvironment = refusalOf(environmentReasons);
