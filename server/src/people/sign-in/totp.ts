import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const PERIOD_S = 30;
/** A phone may be one time step ahead or behind. */
const DRIFT_STEPS = 1;
const SECRET_BYTES = 20;

const totpOf = (secret: string, label = '', issuer = '') =>
  new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
    secret: Secret.fromBase32(secret),
  });

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The URI that authenticator apps import. */
export const otpauthUri = (secret: string, email: string, organization: string): string =>
  totpOf(secret, email, `Lotward ${organization}`).toString();

/** The time step of the code; null when it is not valid now. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_S) + delta;
}

const RECOVERY_CODES = 10;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 7;
const GROUP_LENGTH = 4;

/** 28 characters of five random bits each, in groups that can be read out. Earlier codes of 16 characters stay valid. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...randomBytes(GROUPS * GROUP_LENGTH)]
      .map((byte) => ALPHABET.charAt(byte & 31))
      .join('');
    return (letters.match(/.{4}/g) as string[]).join('-');
  });

/** 0 and o, and 1, i and l, look alike on paper, so they are treated as equal. 140 random bits need no slow hash. */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256')
    .update('recovery\n')
    .update(
      code
        .toLowerCase()
        .replace(/[^0-9a-z]/g, '')
        .replace(/o/g, '0')
        .replace(/[il]/g, '1'),
    )
    .digest();
