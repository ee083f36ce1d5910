import type { Database, Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';
import type { Principal } from '../platform/principal.js';
import type { AuditedEntity } from './audit.js';

/** Finds what people know by a number or name. The slices that have it are above. */
export const findEntities = createHook<
  [database: Database, principal: Principal, text: string],
  readonly AuditedEntity[]
>('audit.findEntities');

/** The numbers and names by which people know these, as they are now, by type and id. */
export const nameEntities = createHook<
  [tx: Tx, entities: readonly AuditedEntity[]],
  ReadonlyMap<string, string>
>('audit.nameEntities');

export const entityKey = ({ type, id }: AuditedEntity): string => JSON.stringify([type, id]);
