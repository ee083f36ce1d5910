import { randomBase62 } from '../../platform/ids/index.js';

const ID_LENGTH = 20;
/** 190 random bits. */
const SECRET_LENGTH = 32;

/** Both are made of letters, digits and `_`: in HTTP Basic they read the same encoded or not. */
export const newClientId = (): string => `lwc_${randomBase62(ID_LENGTH)}`;
export const newClientSecret = (): string => `lwcs_${randomBase62(SECRET_LENGTH)}`;
