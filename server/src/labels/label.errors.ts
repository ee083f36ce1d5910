import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const labelReasons = {
  symbology_mismatch: {
    kind: 'invalid',
    meaning: 'the code cannot be printed in this symbology',
    remedy: 'Omit `symbology`, or choose one of the agency that issued the code; long codes need a matrix.',
  },
} as const satisfies Reasons;

export const refuseLabel = refusalOf(labelReasons);
