import { Type } from 'typebox';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import {
  Instant,
  listRoute,
  Model,
  Nullable,
  type Route,
  readRoute,
  SearchText,
} from '../platform/http/index.js';
import type { AuditEntry } from './audit.js';
import { listAuditEntries, readAuditHead } from './audit.store.js';
import { entityKey, findEntities, nameEntities } from './audit-hooks.js';
import { CHAIN_START } from './chain.rules.js';
import { verificationRoutes } from './verification.routes.js';

const AuditEntryView = Model('AuditEntry', {
  entryId: Type.String(),
  at: Instant(),
  actor: Type.String(),
  credentialId: Type.String(),
  requestId: Nullable(Type.String()),
  action: Type.String({ examples: ['stock.adjust'] }),
  entityType: Type.String(),
  entityId: Type.String(),
  entityName: Nullable(
    Type.String({ description: 'The number or name by which people know it, as it is now.' }),
  ),
  reason: Nullable(Type.String()),
  before: Type.Unknown({ description: 'The object before the change, null for a creation.' }),
  after: Type.Unknown({ description: 'The object after the change.' }),
  position: Nullable(
    Type.Integer({ description: 'Position in the audit chain; null until the entry is sealed.' }),
  ),
  hash: Nullable(Type.String()),
});

type NamedEntry = AuditEntry & { entityName: string | null };

const toView = (entry: NamedEntry) => ({ ...entry, at: entry.at.toISOString() });

async function withNames(tx: Tx, entries: readonly AuditEntry[]): Promise<NamedEntry[]> {
  const entities = entries.map(({ entityType, entityId }) => ({ type: entityType, id: entityId }));
  const names = await nameEntities(tx, entities);
  return entries.map((entry, at) => {
    const entity = entities[at];
    return { ...entry, entityName: (entity && names.get(entityKey(entity))) ?? null };
  });
}

export function auditRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listAuditEntries',
      path: '/v2/audit',
      scope: 'audit:read',
      tag: 'Audit',
      summary: 'List audit entries, newest first',
      mayLag: true,
      filters: {
        q: SearchText('the number, name or code of what was changed'),
        entityType: Type.Optional(Type.String({ maxLength: 64 })),
        entityId: Type.Optional(Type.String({ maxLength: 128 })),
        actor: Type.Optional(Type.String({ maxLength: 254 })),
        action: Type.Optional(Type.String({ maxLength: 64 })),
        since: Type.Optional(Instant('Entries at or after this instant.')),
        until: Type.Optional(Instant('Entries before this instant.')),
      },
      item: AuditEntryView,
      list: 'audit',
      key: (entry) => entry.entryId,
      isCounted: true,
      view: toView,
      readRows: async ({ principal, filter: { q, ...filter }, page }, from) => {
        const entities = q === undefined ? undefined : await findEntities(database, principal, q);
        return transact(from, principal, async (tx) =>
          withNames(tx, await listAuditEntries(tx, { ...filter, entities }, page)),
        );
      },
    }),
    readRoute({
      operationId: 'getAuditHead',
      path: '/v2/audit/head',
      scope: 'audit:read',
      tag: 'Audit',
      summary: 'Read the audit head',
      description:
        'Store `hash` elsewhere: `/v2/audit/verification?expectHead=` and `lotward audit verify --expect-head` then detect a truncated chain.',
      data: Type.Object({ position: Type.Integer(), hash: Type.String(), sealedAt: Nullable(Instant()) }),
      async read({ principal }) {
        const head = await transact(database, principal, readAuditHead);
        return {
          position: head?.position ?? 0,
          hash: head?.hash ?? CHAIN_START,
          sealedAt: head?.sealedAt.toISOString() ?? null,
        };
      },
    }),
    ...verificationRoutes(database),
  ];
}
