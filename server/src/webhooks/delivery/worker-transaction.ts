import { type Database, type Tx, transact } from '../../platform/database/index.js';
import { systemPrincipal } from '../../platform/principal.js';

const SENDER = 'webhooks@lotward.invalid';

export const transactAsWorker = <T>(
  database: Database,
  orgId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => transact(database, systemPrincipal(orgId, SENDER), work, { as: 'worker' });
