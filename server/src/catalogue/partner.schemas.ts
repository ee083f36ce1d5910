import { Type } from 'typebox';
import { Code, Email, Instant, Nullable, OneOf, Strict, Text } from '../platform/http/index.js';
import { PARTNER_ROLES, PARTNER_STATUSES, type Partner } from './partner.js';

const Contact = Strict({
  name: Type.Optional(Nullable(Text(200))),
  email: Type.Optional(Nullable(Email())),
  phone: Type.Optional(Nullable(Text(64))),
  address: Type.Optional(Nullable(Text(500))),
});

export const PartnerView = Type.Object({
  code: Type.String(),
  name: Type.String(),
  roles: Type.Array(OneOf(PARTNER_ROLES)),
  contact: Nullable(Contact),
  status: OneOf(PARTNER_STATUSES),
  updatedAt: Instant(),
});

export const PartnerBody = Strict({
  name: Text(300),
  roles: Type.Array(OneOf(PARTNER_ROLES), { minItems: 1, maxItems: PARTNER_ROLES.length, uniqueItems: true }),
  contact: Type.Optional(Nullable(Contact)),
  status: Type.Optional(OneOf(PARTNER_STATUSES)),
  code: Type.Optional(Code('When given, the code of the path.')),
  updatedAt: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
});

export const toPartnerView = (partner: Partner) => ({
  ...partner,
  updatedAt: partner.updatedAt.toISOString(),
});
