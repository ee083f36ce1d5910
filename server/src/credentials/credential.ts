import { timingSafeEqual } from 'node:crypto';
import type { Edition, OrganizationStatus } from '../organizations/index.js';
import type { Calendar } from '../platform/principal.js';

export const DISABLED_REASONS = ['owner_ended'] as const;
type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The fields that an API key and an OAuth client share. */
export interface StoredCredential {
  orgId: string;
  name: string;
  owner: string;
  scopes: string[];
  allowList: string[];
  customerCode: string | null;
  revokedAt: Date | null;
  /** Disabled until an administrator adopts it. */
  disabledAt: Date | null;
  disabledReason: DisabledReason | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  createdBy: string;
  /** Increases by one with every change; use does not count as a change. */
  version: number;
  updatedAt: Date;
  /** E-mail of the person it ends with; null if it belongs to the organization. */
  belongsTo: string | null;
  ownerConfirmedAt: Date | null;
}

export interface StoredKey extends StoredCredential {
  keyId: string;
  expiresAt: Date | null;
}

export interface StoredClient extends StoredCredential {
  clientId: string;
  redirectUris: string[];
}

export const CREDENTIAL_STATUSES = ['active', 'expired', 'disabled', 'revoked'] as const;
export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

/** A credential as the settings show it. */
export type ShownCredential<C extends StoredCredential> = Omit<C, 'orgId' | 'revokedAt' | 'disabledAt'> & {
  status: CredentialStatus;
  /** The secret before the last rotation works until then. */
  overlapUntil: Date | null;
};

export interface CredentialSecrets {
  secretHash: Buffer;
  previousSecretHash: Buffer | null;
  previousValidUntil: Date | null;
}

/** A credential with everything needed to judge its holder at login. */
export type CredentialForLogin<C extends StoredCredential> = C &
  CredentialSecrets & {
    orgName: string;
    orgStatus: OrganizationStatus;
    edition: Edition;
  } & Calendar;

/** False for a revoked or disabled credential. Expiry and secret are judged by the caller. */
export const isUsable = ({
  revokedAt,
  disabledAt,
}: Pick<StoredCredential, 'revokedAt' | 'disabledAt'>): boolean => revokedAt === null && disabledAt === null;

/**
 * The person in whose name a credential acts. An owner who has not confirmed is only a name that the creator entered, and
 * would let one person act as two.
 */
export const actorOf = ({
  owner,
  belongsTo,
  ownerConfirmedAt,
}: Pick<StoredCredential, 'owner' | 'belongsTo' | 'ownerConfirmedAt'>): string =>
  ownerConfirmedAt === null && belongsTo !== null ? belongsTo : owner;

/** Until when a secret with this hash is valid, in milliseconds; null when the credential has no such secret. */
export function secretValidUntilMs(secrets: CredentialSecrets, hash: Buffer): number | null {
  if (timingSafeEqual(secrets.secretHash, hash)) return Number.POSITIVE_INFINITY;
  const { previousSecretHash, previousValidUntil } = secrets;
  if (previousSecretHash === null || !timingSafeEqual(previousSecretHash, hash)) return null;
  return previousValidUntil?.getTime() ?? null;
}
