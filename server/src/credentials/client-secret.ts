import { randomBase62 } from '../platform/ids/index.js';
import { randomSecret } from '../platform/secrets/index.js';

const ID_LENGTH = 20;

/** Only letters, digits and `_`, so that HTTP Basic carries them the same with and without form encoding. */
export const newClientId = (): string => `lwc_${randomBase62(ID_LENGTH)}`;
export const newClientSecret = (): string => `lwcs_${randomSecret()}`;
