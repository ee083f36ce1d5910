import type { Database, Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';
import type { Principal } from '../platform/principal.js';
import type { AuditedEntity } from './audit.js';

/** Finds entities by the number or name that people know. The slices above connect it. */
export const findEntities = createHook<
  [database: Database, principal: Principal, text: string],
  readonly AuditedEntity[]
>('audit.findEntities');

/** The current numbers and names of these entities, by type and id. */
export const nameEntities = createHook<
  [tx: Tx, entities: readonly AuditedEntity[]],
  ReadonlyMap<string, string>
>('audit.nameEntities');

export const entityKey = ({ type, id }: AuditedEntity): string => JSON.stringify([type, id]);
