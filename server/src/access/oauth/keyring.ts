import { type CryptoKey, importJWK, type JWK } from 'jose';
import { ensureSigningKey, opens, SIGNING_ALGORITHM, type SigningKeyStore } from './keep-signing-keys.js';
import { signingNow } from './signing-key.rules.js';
import { readSigningKeys, type StoredSigningKey } from './signing-key.store.js';

/** The signing keys as this process knows them. */
export interface Keyring {
  /** What is published. */
  published(): Promise<JWK[]>;
  /** With which this process signs now. */
  signing(): Promise<{ keyId: string; privateJwk: JWK }>;
  /** Null when there is no such key. */
  verifying(keyId: string): Promise<CryptoKey | null>;
}

const BELIEVED_MS = 60_000;
/** A key nobody knows is looked for at once, but not for every token that makes one up. */
const LOOK_EVERY_MS = 1_000;

interface Loaded {
  keys: readonly StoredSigningKey[];
  atMs: number;
}

export function openKeyring(store: SigningKeyStore, monotonicMs: () => number): Keyring {
  const { database, box } = store;
  const { reader, clock } = database;
  const imported = new Map<string, Promise<CryptoKey>>();
  let loaded: Loaded | null = null;
  let loading: Promise<readonly StoredSigningKey[]> | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  const load = (): Promise<readonly StoredSigningKey[]> => {
    loading ??= (async () => {
      const atMs = monotonicMs();
      const keys = await readSigningKeys(reader);
      loaded = { keys, atMs };
      return keys;
    })().finally(() => {
      loading = null;
    });
    return loading;
  };
  /** One that began before now may have missed what was changed just now. */
  const reload = async () => {
    await loading?.catch(() => {});
    return load();
  };
  const current = async () =>
    loaded && monotonicMs() - loaded.atMs < BELIEVED_MS ? loaded.keys : await load();
  const usable = (keys: readonly StoredSigningKey[]) =>
    signingNow(keys, clock.now()).find((key) => opens(box, key));

  /** A process that starts on an empty database makes the first key when somebody needs it. */
  const signingKey = async (): Promise<StoredSigningKey> => {
    const known = usable(await current());
    if (known) return known;
    await ensureSigningKey(store);
    const made = usable(await reload());
    if (!made) throw new Error('there is no key to sign with');
    return made;
  };

  const publicKey = (key: StoredSigningKey): Promise<CryptoKey> => {
    const known = imported.get(key.keyId);
    if (known) return known;
    const importing = importJWK(key.publicJwk as JWK, SIGNING_ALGORITHM) as Promise<CryptoKey>;
    imported.set(key.keyId, importing);
    return importing;
  };

  return {
    async published() {
      await signingKey();
      return (await current()).map((key) => key.publicJwk as JWK);
    },
    async signing() {
      const key = await signingKey();
      return { keyId: key.keyId, privateJwk: JSON.parse(box.open(key.privateSealed)) as JWK };
    },
    async verifying(keyId) {
      const among = (keys: readonly StoredSigningKey[]) => keys.find((key) => key.keyId === keyId);
      let key = among(await current());
      if (!key && monotonicMs() - lookedAtMs >= LOOK_EVERY_MS) {
        lookedAtMs = monotonicMs();
        key = among(await reload());
      }
      return key ? publicKey(key) : null;
    },
  };
}
