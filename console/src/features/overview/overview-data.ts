import type { Data } from '@lotward/client';

/** A part is null where whoever asks lacks its scope. */
export type Overview = Data<'/v2/overview', 'get'>;
