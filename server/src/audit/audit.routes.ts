import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import { Instant, listRoute, Model, Nullable, type Route, readRoute } from '../platform/http/index.js';
import type { AuditEntry } from './audit.js';
import { listAuditEntries, readAuditHead } from './audit.store.js';
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
  reason: Nullable(Type.String()),
  before: Type.Unknown({ description: 'The object before the change, null for a creation.' }),
  after: Type.Unknown({ description: 'The object after the change.' }),
  position: Nullable(
    Type.Integer({ description: 'Position in the audit chain; null until the entry is sealed.' }),
  ),
  hash: Nullable(Type.String()),
});

const toView = (entry: AuditEntry) => ({ ...entry, at: entry.at.toISOString() });

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
      view: toView,
      readRows: ({ principal, filter, after, rowsMax }, from) =>
        transact(from, principal, (tx) => listAuditEntries(tx, filter, after, rowsMax)),
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
