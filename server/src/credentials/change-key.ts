import type { Tx } from '../platform/database/index.js';
import { type CredentialPatch, changeCredential, KEY } from './credential-lifecycle.js';

/** Changes name, scopes and allow-list. The key keeps its secret, its owner and its customer. */
export const changeKey = (tx: Tx, keyId: string, input: CredentialPatch): Promise<void> =>
  changeCredential(tx, KEY, keyId, input);
