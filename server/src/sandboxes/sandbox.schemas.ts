import { type Static, Type } from 'typebox';
import { EVENT_TYPES } from '../events/index.js';
import type { Organization } from '../organizations/index.js';
import {
  DateText,
  Instant,
  Model,
  Nullable,
  OneOf,
  ShownOnce,
  Strict,
  Text,
} from '../platform/http/index.js';
import { businessDay } from '../platform/principal.js';
import { END_REASONS, SANDBOX_DATA, SANDBOX_STATUSES, type Sandbox } from './sandbox.js';

export const ById = Strict({ sandboxId: Text(64) });

export const SandboxBody = Strict({
  name: Text(300),
  data: Type.Optional(
    OneOf(
      SANDBOX_DATA,
      '`catalogue` (the default): a copy of your first 2,000 products, 1,000 partners and 100 warehouses, by code, with certificates and ' +
        'policies, without persons, stock and orders. `demo`: a small catalogue with stock. `empty`: nothing.',
    ),
  ),
});

export const SandboxView = Model('Sandbox', {
  sandboxId: Type.String(),
  code: Type.String({ description: 'The code of its organization.' }),
  name: Type.String(),
  data: OneOf(SANDBOX_DATA),
  status: OneOf(SANDBOX_STATUSES),
  businessDate: Nullable(DateText('Its day now; null when it has ended.')),
  daysAhead: Type.Integer({ description: 'How far its clock is ahead of the real date.' }),
  lastUsedAt: Nullable(
    Instant('When one of its credentials was used last. It ends after 30 days without use.'),
  ),
  createdAt: Instant(),
  createdBy: Type.String(),
  updatedAt: Instant('Being used, and a moved clock, are no change.'),
  endedAt: Nullable(Instant()),
  endReason: Nullable(OneOf(END_REASONS)),
});

const key = {
  keyId: Type.String(),
  apiKey: ShownOnce('The bearer token, with every scope, valid only in this sandbox.'),
};
export const SandboxKeyView = Model('SandboxKey', { sandboxId: Type.String(), ...key });
export const OpenedSandboxView = Model('OpenedSandbox', {
  ...SandboxView.properties,
  ...key,
  copied: Type.Object({
    partners: Type.Integer(),
    warehouses: Type.Integer(),
    products: Type.Integer(),
    certificates: Type.Integer(),
  }),
});

export const ClockBody = Strict({
  advance: Type.String({
    minLength: 1,
    maxLength: 40,
    examples: ['P30D'],
    description: 'An ISO 8601 duration of whole days: `P30D`, `P2W`, `P1M`, `P1Y`. At most 366 days.',
  }),
});
export const ClockView = Model('SandboxClock', {
  businessDate: DateText('The day of the sandbox now.'),
  daysAhead: Type.Integer(),
  days: Type.Integer({ description: 'How many days were run.' }),
  counts: Type.Array(Type.Object({ eventType: OneOf(EVENT_TYPES), count: Type.Integer() })),
  emitted: Type.Array(
    Type.Object({ businessDate: DateText(), eventType: OneOf(EVENT_TYPES), entityId: Type.String() }),
    { description: 'The first 1,000 events of these days; `counts` has all.' },
  ),
});

export const TriggerBody = Strict({ eventType: OneOf(EVENT_TYPES) });
export const TriggerView = Model('SandboxTrigger', {
  eventType: OneOf(EVENT_TYPES),
  businessDate: DateText(),
  made: Type.Array(Type.Object({ type: Type.String(), id: Type.String() }), {
    description: 'The records that were created or changed to cause the event.',
  }),
});

/** The state that a sandbox stores itself. */
export interface SandboxState {
  organization: Pick<Organization, 'timeZone' | 'sandbox' | 'status'> | undefined;
  lastUsedAt: Date | undefined;
  now: Date;
}

export function toSandboxView(
  { sandboxId, code, name, data, ...sandbox }: Sandbox,
  { organization, lastUsedAt, now }: SandboxState,
): Static<typeof SandboxView> {
  const isActive = sandbox.endedAt === null && organization?.status === 'active';
  return {
    sandboxId,
    code,
    name,
    data,
    status: isActive ? 'active' : 'ended',
    businessDate: isActive && organization ? businessDay(organization, now) : null,
    daysAhead: organization?.sandbox?.daysAhead ?? 0,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: sandbox.createdAt.toISOString(),
    createdBy: sandbox.createdBy,
    updatedAt: sandbox.updatedAt.toISOString(),
    endedAt: sandbox.endedAt?.toISOString() ?? null,
    endReason: sandbox.endReason,
  };
}
