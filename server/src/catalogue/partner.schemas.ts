import { Type } from 'typebox';
import { Code, Email, Instant, Nullable, OneOf, Strict, Text } from '../platform/http/index.js';
import { PARTNER_ROLES, PARTNER_STATUSES, type Partner } from './partner.js';

const contact = {
  name: Nullable(Text(200)),
  email: Nullable(Email()),
  phone: Nullable(Text(64)),
  address: Nullable(Text(500)),
};
const ContactBody = Strict({
  name: Type.Optional(contact.name),
  email: Type.Optional(contact.email),
  phone: Type.Optional(contact.phone),
  address: Type.Optional(contact.address),
});

export const PartnerView = Type.Object({
  code: Type.String(),
  name: Type.String(),
  roles: Type.Array(OneOf(PARTNER_ROLES)),
  contact: Nullable(Type.Object(contact)),
  status: OneOf(PARTNER_STATUSES),
  updatedAt: Instant(),
});

export const PartnerBody = Strict({
  name: Text(300),
  roles: Type.Array(OneOf(PARTNER_ROLES), { minItems: 1, maxItems: PARTNER_ROLES.length, uniqueItems: true }),
  contact: Type.Optional(Nullable(ContactBody)),
  status: Type.Optional(OneOf(PARTNER_STATUSES)),
  code: Type.Optional(Code('When given, the code of the path.')),
  updatedAt: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
});

export const toPartnerView = (partner: Partner) => ({
  ...partner,
  updatedAt: partner.updatedAt.toISOString(),
});
