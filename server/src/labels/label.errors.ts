import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const labelReasons = {
  symbology_mismatch: {
    kind: 'invalid',
    meaning: 'the code cannot be printed in this symbology',
    remedy: 'Omit `symbology`, or choose one of the agency that issued the code; long codes need a matrix.',
  },
  label_too_small: {
    kind: 'invalid',
    meaning: 'the code does not fit a label of this size so that it can be read',
    remedy: 'Choose a larger `size`, or a printer with a higher `dpi`.',
  },
} as const satisfies Reasons;

export const refuseLabel = refusalOf(labelReasons);
