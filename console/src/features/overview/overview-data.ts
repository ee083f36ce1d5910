import type { Data } from '@lotward/client';

/** A part is null if the user lacks its scope. */
export type Overview = Data<'/v2/overview', 'get'>;
