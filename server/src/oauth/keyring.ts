import { type CryptoKey, importJWK, type JWK } from 'jose';
import { signingKeyPlace } from './sealed-keys.store.js';
import { signingNow } from './signing-key.rules.js';
import { readSigningKeys, type StoredSigningKey } from './signing-key.store.js';
import { ensureSigningKey, opens, SIGNING_ALGORITHM, type SigningKeyStore } from './signing-keys.js';

/** The signing keys as this process knows them. */
export interface Keyring {
  /** The public keys, for the JWKS. */
  published(): Promise<JWK[]>;
  /** The key with which this process signs. */
  signing(): Promise<{ keyId: string; privateJwk: JWK }>;
  /** Null when there is no such key. */
  verifying(keyId: string): Promise<CryptoKey | null>;
}

const CACHED_MS = 60_000;
/** An unknown key id triggers a reload, at most this often: tokens may carry arbitrary key ids. */
const RELOAD_MIN_INTERVAL_MS = 1_000;

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
  let reloadedAtMs = Number.NEGATIVE_INFINITY;

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
  /** Waits for a load in progress first, which may have missed the latest change. */
  const reload = async () => {
    await loading?.catch(() => {});
    return load();
  };
  const current = async () =>
    loaded && monotonicMs() - loaded.atMs < CACHED_MS ? loaded.keys : await load();
  const usable = (keys: readonly StoredSigningKey[]) =>
    signingNow(keys, clock.now()).find((key) => opens(box, key));

  /** The first key of an empty database is generated on demand. */
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
      const opened = box.open(key.privateSealed, signingKeyPlace(key.keyId));
      return { keyId: key.keyId, privateJwk: JSON.parse(opened) as JWK };
    },
    async verifying(keyId) {
      const among = (keys: readonly StoredSigningKey[]) => keys.find((key) => key.keyId === keyId);
      let key = among(await current());
      if (!key && monotonicMs() - reloadedAtMs >= RELOAD_MIN_INTERVAL_MS) {
        reloadedAtMs = monotonicMs();
        key = among(await reload());
      }
      return key ? publicKey(key) : null;
    },
  };
}
