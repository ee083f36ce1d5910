import { isGln } from '@lotward/udi';
import { refuseCatalogue } from './catalogue.errors.js';
import type { Contact, Partner, PartnerAddress, PartnerRole } from './partner.js';

export interface PartnerToPut {
  code: string;
  name: string;
  roles: readonly PartnerRole[];
  contact?: Partial<Contact> | null | undefined;
  gln?: string | null | undefined;
  registrationCode?: string | null | undefined;
  /** If omitted, the stored addresses are kept. */
  addresses?: readonly (Pick<PartnerAddress, 'code' | 'name'> & Partial<PartnerAddress>)[] | undefined;
  status?: Partner['status'] | undefined;
}

const NO_CONTACT: Contact = { name: null, email: null, phone: null, address: null };
const NO_ADDRESS = { address: null, contact: null, gln: null };

/** Builds a whole partner from the input. Omitted fields get their defaults; only addresses stay as they are. */
export function describePartner(put: PartnerToPut, before: Partner | undefined, at: Date): Partner {
  const addresses = (put.addresses ?? before?.addresses ?? []).map((address) => ({
    ...NO_ADDRESS,
    ...address,
  }));
  requireGln(put.gln ?? null, '/gln');
  addresses.forEach((address, i) => {
    requireGln(address.gln, `/addresses/${i}/gln`);
    const first = addresses.findIndex((each) => each.code === address.code);
    if (first !== i)
      throw refuseCatalogue(
        'duplicate_address',
        `/addresses/${i}/code`,
        `Address code ${address.code} is used twice. Give each address its own code.`,
      );
  });
  const registrationCode = put.registrationCode?.toUpperCase() ?? null;
  if (registrationCode !== null && !isSocialCreditCode(registrationCode))
    throw refuseCatalogue('registration_code_invalid', '/registrationCode');
  return {
    code: put.code,
    name: put.name,
    roles: [...new Set(put.roles)],
    contact: put.contact ? { ...NO_CONTACT, ...put.contact } : null,
    gln: put.gln ?? null,
    registrationCode,
    addresses,
    status: put.status ?? 'active',
    version: (before?.version ?? 0) + 1,
    updatedAt: at,
  };
}

export function requireGln(gln: string | null, path: string): void {
  if (gln !== null && !isGln(gln)) throw refuseCatalogue('gln_invalid', path);
}

/** The alphabet of GB 32100-2015, without letters that look like digits or like each other. */
const CREDIT_ALPHABET = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const CREDIT_LENGTH = 18;

/** With each position weighted by the next power of 3, the sum including the check character is a multiple of 31. */
function isSocialCreditCode(code: string): boolean {
  const values = [...code].map((character) => CREDIT_ALPHABET.indexOf(character));
  if (values.length !== CREDIT_LENGTH || values.includes(-1)) return false;
  const check = values.pop();
  let weight = 1;
  let sum = 0;
  for (const value of values) {
    sum += value * weight;
    weight = (weight * 3) % CREDIT_ALPHABET.length;
  }
  return (sum + (check ?? 0)) % CREDIT_ALPHABET.length === 0;
}
