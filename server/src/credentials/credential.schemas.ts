import { Type } from 'typebox';
import { SCOPES } from '../access/index.js';
import { toUtcInstant } from '../platform/calendar/index.js';
import type { ListPage } from '../platform/database/index.js';
import {
  AnyOf,
  Code,
  Email,
  Instant,
  invalid,
  Nullable,
  OneOf,
  OverlapSeconds,
  PageQuery,
  SearchText,
  Strict,
  Text,
  Version,
} from '../platform/http/index.js';
import {
  CREDENTIAL_STATUSES,
  DISABLED_REASONS,
  type ShownCredential,
  type StoredCredential,
} from './credential.js';

/** Wire shapes that keys and OAuth clients share. */

const ALLOW_LIST_MAX = 100;

const CredentialName = () => Text(200, 'What it is for.');

const Scopes = () =>
  Type.Array(OneOf(SCOPES), {
    minItems: 1,
    maxItems: SCOPES.length,
    uniqueItems: true,
    description: 'Only scopes that its creator has.',
  });
const AllowList = () =>
  Type.Array(Text(50), {
    maxItems: ALLOW_LIST_MAX,
    description: 'Addresses and CIDR blocks from which it may be used; empty allows any address.',
  });

/** A merge patch of the fields that can be changed later: omitted fields keep their values, null removes the allow-list. */
export const credentialPatch = {
  name: Type.Optional(CredentialName()),
  scopes: Type.Optional(Scopes()),
  allowList: Type.Optional(Nullable(AllowList())),
};

export const credentialBody = {
  name: CredentialName(),
  scopes: Scopes(),
  allowList: Type.Optional(AllowList()),
  owner: Type.Optional(Email()),
  customerCode: Type.Optional(Code('Binds it to one customer: it sees and writes only that.')),
};

export const credentialView = {
  name: Type.String(),
  owner: Type.String({ description: 'E-mail of the responsible person.' }),
  ownerConfirmed: Type.Boolean({
    description: 'Until the owner has confirmed it, it acts in the name of the person it belongs to.',
  }),
  belongsTo: Nullable(
    Type.String({
      description: 'E-mail of the person it ends with; null if it belongs to the organization.',
    }),
  ),
  scopes: Type.Array(Type.String()),
  allowList: Type.Array(Type.String()),
  customerCode: Nullable(Type.String()),
  status: OneOf(CREDENTIAL_STATUSES),
  disabledReason: Nullable(OneOf(DISABLED_REASONS)),
  overlapUntil: Nullable(Instant('Until then the secret before the last rotation works too.')),
  lastUsedAt: Nullable(Instant()),
  createdAt: Instant(),
  createdBy: Type.String(),
  version: Version(),
  updatedAt: Instant('Being used is no change.'),
};

export const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const toCredentialView = (shown: ShownCredential<StoredCredential>) => ({
  name: shown.name,
  owner: shown.owner,
  ownerConfirmed: shown.ownerConfirmedAt !== null,
  belongsTo: shown.belongsTo,
  scopes: [...shown.scopes].sort(),
  allowList: shown.allowList,
  customerCode: shown.customerCode,
  status: shown.status,
  disabledReason: shown.disabledReason,
  overlapUntil: iso(shown.overlapUntil),
  lastUsedAt: iso(shown.lastUsedAt),
  createdAt: shown.createdAt.toISOString(),
  createdBy: shown.createdBy,
  version: shown.version,
  updatedAt: shown.updatedAt.toISOString(),
});

export const RotationBody = Strict({
  overlapSeconds: OverlapSeconds(),
});

/** The page's own parameters come first, where they have always been in the reference. */
export const CredentialFilters = {
  ...PageQuery,
  q: SearchText('the name, the id or the address of the owner'),
  status: Type.Optional(AnyOf(CREDENTIAL_STATUSES)),
  belongsTo: Type.Optional(Email()),
};

export const placeKey = (createdAt: Date, id: string): string[] => [createdAt.toISOString(), id];

/** Either order begins with an instant. */
export function requirePlace({ after }: ListPage): void {
  if (after && toUtcInstant(after[0] ?? '') === null) throw invalid('bad_cursor', 'cursor');
}
