import { createHash } from 'node:crypto';
import { randomBase62 } from '../ids/index.js';

const SECRET_LENGTH = 32;

/** 190 random bits, shown once to the recipient; only its `hashToken` is stored. */
export const randomSecret = (): string => randomBase62(SECRET_LENGTH);

/** A fast hash is enough: 190 random bits cannot be guessed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
