import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The place a seal belongs to. It is authenticated with the secret: copied to another place, the seal does not open. */
export interface SealPlace {
  purpose: string;
  /** Null for what belongs to the installation as a whole. */
  orgId: string | null;
  /** Names the row. */
  id: string;
}

/** Encrypts secrets that must be readable again (passwords of database roles, webhook secrets). */
export interface SecretBox {
  seal(plain: string, place: SealPlace): string;
  /** Throws if it was sealed with none of the known keys, or for another place. */
  open(sealed: string, place: SealPlace): string;
  /** True if it should be sealed again: it was sealed with an older key, or in the form without a place. */
  isStale(sealed: string): boolean;
  /** True if the key it was sealed with is known. */
  knowsKey(keyId: string): boolean;
}

/** The id of the key that sealed a value. Ids are not secret. */
export const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? '';

/** The form from before seals included their place. It can still be opened, so that an upgrade loses nothing. */
const PLACELESS = 'v1';
const PLACED = 'v2';
/** Required for opening too, because a shorter tag would be easier to forge. */
const TAG_BYTES = 16;

interface Key {
  id: string;
  bytes: Buffer;
}

function keyFrom(secret: string): Key {
  const bytes = createHash('sha256').update('lotward secret box\n').update(secret).digest();
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

const placeText = ({ purpose, orgId, id }: SealPlace): Buffer =>
  Buffer.from(JSON.stringify([PLACED, purpose, orgId, id]));

/** `secrets` are ordered newest first. The first one seals; any of them opens. */
export function secretBox(secrets: readonly string[]): SecretBox {
  const keys = secrets.map(keyFrom);
  const newest = keys[0];
  if (!newest) throw new Error('a secret box needs at least one key');
  return {
    seal(plain, place) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', newest.bytes, iv).setAAD(placeText(place));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${PLACED}.${newest.id}.${iv.toString('base64url')}.${body.toString('base64url')}`;
    },
    open(sealed, place) {
      const [version, id, iv, body] = sealed.split('.');
      const key = keys.find((candidate) => candidate.id === id);
      if ((version !== PLACED && version !== PLACELESS) || !key || !iv || !body)
        throw new Error('sealed with an unknown key');
      const bytes = Buffer.from(body, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(iv, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      if (version === PLACED) decipher.setAAD(placeText(place));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
    isStale: (sealed) => !sealed.startsWith(`${PLACED}.${newest.id}.`),
    knowsKey: (keyId) => keys.some((key) => key.id === keyId),
  };
}
