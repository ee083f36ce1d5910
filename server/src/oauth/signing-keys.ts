import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { randomBase62 } from '../platform/ids/index.js';
import { systemPrincipal } from '../platform/principal.js';
import type { SecretBox } from '../platform/secrets/index.js';
import { signingKeyPlace } from './sealed-keys.store.js';
import { keysToRemove, nextKeySigns, PUBLISHED_BEFORE_MS, signingNow } from './signing-key.rules.js';
import {
  lockSigningKeys,
  readSigningKeys,
  removeSigningKeys,
  type StoredSigningKey,
  saveSigningKey,
} from './signing-key.store.js';

export const SIGNING_ALGORITHM = 'RS256';
const generate = promisify(generateKeyPair);

/** Private keys are stored sealed. */
export interface SigningKeyStore {
  database: Database;
  box: SecretBox;
}

/** A transaction outside any organization, to which the keys do not belong. */
const inKeys = <T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(database, systemPrincipal('', 'worker@lotward.invalid'), work, { as: 'worker' });

/** Generates the next key when it is due and removes keys whose tokens have expired. Safe to run concurrently. */
export async function keepSigningKeys({ database, box }: SigningKeyStore): Promise<void> {
  const isDue = nextKeySigns(await readSigningKeys(database.worker), database.clock.now()) !== null;
  const pair = isDue ? await newPair(box) : null;
  await inKeys(database, async (tx) => {
    const keys = await lockSigningKeys(tx);
    const signsFrom = nextKeySigns(keys, tx.now);
    if (signsFrom && pair) await saveSigningKey(tx, { ...pair, signsFrom });
    await removeSigningKeys(tx, keysToRemove(keys, tx.now));
  });
}

/** Generates a key that signs immediately, unless this process can use an existing one. */
export async function ensureSigningKey({ database, box }: SigningKeyStore): Promise<void> {
  const pair = await newPair(box);
  await inKeys(database, async (tx) => {
    const usable = signingNow(await lockSigningKeys(tx), tx.now).some((key) => opens(box, key));
    if (!usable) await saveSigningKey(tx, { ...pair, signsFrom: tx.now });
  });
}

/** Generates a key before it is due; tokens signed with older keys stay valid. */
export async function rotateSigningKey(
  { database, box }: SigningKeyStore,
  options: { now: boolean },
): Promise<{ keyId: string; signsFrom: Date }> {
  const pair = await newPair(box);
  return inKeys(database, async (tx) => {
    await lockSigningKeys(tx);
    const delayMs = options.now ? 0 : PUBLISHED_BEFORE_MS;
    const signsFrom = new Date(tx.now.getTime() + delayMs);
    await saveSigningKey(tx, { ...pair, signsFrom });
    return { keyId: pair.keyId, signsFrom };
  });
}

/** Outside any transaction: on a busy machine it takes seconds, and the server ends an idle transaction. */
async function newPair(box: SecretBox): Promise<Omit<StoredSigningKey, 'signsFrom'>> {
  const keyId = randomBase62(16);
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2_048 });
  const facts = { kid: keyId, use: 'sig', alg: SIGNING_ALGORITHM };
  return {
    keyId,
    publicJwk: { ...publicKey.export({ format: 'jwk' }), ...facts },
    privateSealed: box.seal(
      JSON.stringify({ ...privateKey.export({ format: 'jwk' }), ...facts }),
      signingKeyPlace(keyId),
    ),
  };
}

/** Whether the private key was sealed with an encryption key that is still configured. */
export function opens(box: SecretBox, key: StoredSigningKey): boolean {
  try {
    box.open(key.privateSealed, signingKeyPlace(key.keyId));
    return true;
  } catch {
    return false;
  }
}
