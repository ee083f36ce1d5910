import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export { hashToken, randomSecret } from './random-secret.js';
export { OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from './rotation.js';

/** Encrypts secrets that must be readable again (passwords of database roles, webhook secrets). */
export interface SecretBox {
  seal(plain: string): string;
  /** Throws if it was sealed with none of the known keys. */
  open(sealed: string): string;
  /** True if it was sealed with an older key and should be sealed again. */
  isStale(sealed: string): boolean;
}

/** Required when opening too: a shorter tag would be easier to forge. */
const TAG_BYTES = 16;

interface Key {
  id: string;
  bytes: Buffer;
}

function keyFrom(secret: string): Key {
  const bytes = createHash('sha256').update('lotward secret box\n').update(secret).digest();
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** `secrets` are ordered newest first. The first one seals; any of them opens. */
export function secretBox(secrets: readonly string[]): SecretBox {
  const keys = secrets.map(keyFrom);
  const newest = keys[0];
  if (!newest) throw new Error('a secret box needs at least one key');
  return {
    seal(plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', newest.bytes, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${newest.id}.${iv.toString('base64url')}.${body.toString('base64url')}`;
    },
    open(sealed) {
      const [version, id, iv, body] = sealed.split('.');
      const key = keys.find((candidate) => candidate.id === id);
      if (version !== 'v1' || !key || !iv || !body) throw new Error('sealed with an unknown key');
      const bytes = Buffer.from(body, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(iv, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
    isStale: (sealed) => sealed.split('.')[1] !== newest.id,
  };
}
