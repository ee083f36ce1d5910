/** One write, recorded so that it can be understood years later without the code that made it. */
export interface AuditRecord {
  action: string;
  entityType: string;
  entityId: string;
  before?: unknown;
  after?: unknown;
  reason?: string | null;
  /** The caller, where one transaction serves several. */
  by?: { actor: string; credentialId: string; requestId: string | null } | undefined;
}

/** The subject of an entry. */
export interface AuditedEntity {
  type: string;
  id: string;
}

export interface AuditEntry {
  entryId: string;
  at: Date;
  actor: string;
  credentialId: string;
  requestId: string | null;
  action: string;
  entityType: string;
  entityId: string;
  reason: string | null;
  before: unknown;
  after: unknown;
  position: number | null;
  hash: string | null;
}
