export { hashToken, randomSecret } from './random-secret.js';
export { OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from './rotation.js';
export { keyIdOf, type SealPlace, type SecretBox, secretBox } from './secret-box.js';
