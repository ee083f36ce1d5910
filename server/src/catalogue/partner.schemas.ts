import { Type } from 'typebox';
import {
  Code,
  Email,
  Instant,
  Model,
  Nullable,
  OneOf,
  Strict,
  Text,
  Version,
} from '../platform/http/index.js';
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

const ADDRESSES_MAX = 200;
export const Gln = () =>
  Nullable(Text(32, 'Global Location Number: 13 digits, the last of which is their check digit.'));
const RegistrationCode = () =>
  Nullable(
    Text(
      32,
      'Unified social credit code (统一社会信用代码): 18 characters, the last of which checks the others.',
    ),
  );
const addressText = () => Nullable(Text(500));
const contactText = () => Nullable(Text(200));

const AddressView = Model('Address', {
  code: Type.String(),
  name: Type.String(),
  address: addressText(),
  contact: contactText(),
  gln: Gln(),
});
const AddressBody = Strict({
  code: Code('Unique within the partner.'),
  name: Text(200),
  address: Type.Optional(addressText()),
  contact: Type.Optional(contactText()),
  gln: Type.Optional(Gln()),
});

export const PartnerView = Model('Partner', {
  code: Type.String(),
  name: Type.String(),
  roles: Type.Array(OneOf(PARTNER_ROLES)),
  contact: Nullable(Type.Object(contact)),
  gln: Gln(),
  registrationCode: RegistrationCode(),
  addresses: Type.Array(AddressView),
  status: OneOf(PARTNER_STATUSES),
  version: Version(),
  updatedAt: Instant(),
});

export const PartnerBody = Strict({
  name: Text(300),
  roles: Type.Array(OneOf(PARTNER_ROLES), { minItems: 1, maxItems: PARTNER_ROLES.length, uniqueItems: true }),
  contact: Type.Optional(Nullable(ContactBody)),
  gln: Type.Optional(Gln()),
  registrationCode: Type.Optional(RegistrationCode()),
  addresses: Type.Optional(Type.Array(AddressBody, { maxItems: ADDRESSES_MAX })),
  status: Type.Optional(OneOf(PARTNER_STATUSES)),
  code: Type.Optional(Code('If sent, must equal the code in the path.')),
  version: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  updatedAt: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
});

export const toPartnerView = (partner: Partner) => ({
  ...partner,
  updatedAt: partner.updatedAt.toISOString(),
});
