import { openCredentialCache, SCOPES } from '../access/index.js';
import { createKey, keyResolver, listKeys, rotateKey } from '../credentials/index.js';
import type { Organization } from '../organizations/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { lockDemoKeyIds, saveDemoKeyIds } from './demo.store.js';
import { type DemoKey, keepKeys, readKeptKeys } from './kept-keys.js';

/**
 * Returns the demo's keys and creates missing ones. The service stores no secrets: if `file` is given, the keys are kept
 * there, and created again when the file is lost. The row with their ids is locked meanwhile, so of two processes one
 * creates the keys and the other reads the file.
 */
export async function demoKeys(
  database: Database,
  organization: Organization,
  owners: readonly string[],
  file: string | null,
): Promise<DemoKey[]> {
  const principal = systemPrincipal(organization.orgId, owners[0] ?? '', organization);
  return transact(database, principal, async (tx) => {
    const keyIds = await lockDemoKeyIds(tx);
    if (keyIds === null) {
      const made = await makeKeys(tx, owners);
      // Written before the commit: a file with keys that were rolled back is detected below; a key without a file is lost.
      if (file !== null) keepKeys(file, made);
      return made;
    }
    const stored = await listKeys(database.reader, organization.orgId);
    const known = keyIds
      .flatMap((keyId) => stored.find((key) => key.keyId === keyId && key.revokedAt === null) ?? [])
      .map(({ keyId, owner }): DemoKey => ({ keyId, owner, apiKey: null }));
    // Keys of a suspended organization do not work, and new ones would not either.
    if (file === null || organization.status !== 'active') return known;
    return recallKeys(tx, database, known, file);
  });
}

async function makeKeys(tx: Tx, owners: readonly string[]): Promise<DemoKey[]> {
  const made: DemoKey[] = [];
  for (const owner of owners) {
    const { keyId, apiKey } = await createKey(tx, { name: 'demo', scopes: SCOPES, owner });
    made.push({ keyId, owner, apiKey });
  }
  await saveDemoKeyIds(
    tx,
    made.map((key) => key.keyId),
  );
  return made;
}

async function recallKeys(
  tx: Tx,
  database: Database,
  known: readonly DemoKey[],
  file: string,
): Promise<DemoKey[]> {
  const kept = readKeptKeys(file);
  const credentials = openCredentialCache(
    [keyResolver(database.reader, database.clock)],
    database.clock,
    () => 0,
  );
  const recalled: DemoKey[] = [];
  let renewed = false;
  try {
    for (const key of known) {
      const apiKey = kept.get(key.keyId) ?? '';
      if ((await credentials.resolve(apiKey))?.id === key.keyId) recalled.push({ ...key, apiKey });
      else {
        recalled.push({ ...key, apiKey: (await rotateKey(tx, key.keyId, 0)).apiKey });
        renewed = true;
      }
    }
  } finally {
    credentials.close();
  }
  if (renewed) keepKeys(file, recalled);
  return recalled;
}
