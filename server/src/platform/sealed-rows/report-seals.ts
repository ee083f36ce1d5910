import type { Database } from '../database/index.js';
import { keyIdOf, type SecretBox } from '../secrets/index.js';
import type { SealedRows } from './sealed-rows.js';

/** Seals of one kind under one key. */
export interface SealReport {
  kind: string;
  keyId: string;
  count: number;
  /**
   * `lost`: the key is not configured, so they cannot be opened. `stale`: they can be opened, and should be sealed again.
   */
  state: 'current' | 'stale' | 'lost';
}

/** Counts all stored seals by kind and key, without opening any. */
export async function reportSeals(
  { worker }: Pick<Database, 'worker'>,
  box: SecretBox,
  kinds: readonly SealedRows[],
): Promise<SealReport[]> {
  const reports: SealReport[] = [];
  for (const { kind, count: statement } of kinds) {
    const rows = await worker.query<{ sealed: string; count: number }>(statement, []);
    for (const { sealed, count } of rows.sort((a, b) => (a.sealed < b.sealed ? -1 : 1)))
      reports.push({ kind, keyId: keyIdOf(sealed), count, state: stateOf(box, sealed) });
  }
  return reports;
}

function stateOf(box: SecretBox, sealed: string): SealReport['state'] {
  if (!box.knowsKey(keyIdOf(sealed))) return 'lost';
  return box.isStale(`${sealed}.`) ? 'stale' : 'current';
}
