export const PARTNER_ROLES = ['supplier', 'customer', 'manufacturer'] as const;
export type PartnerRole = (typeof PARTNER_ROLES)[number];
export const PARTNER_STATUSES = ['active', 'suspended'] as const;

export interface Contact {
  name: string | null;
  email: string | null;
  phone: string | null;
  address: string | null;
}

/** A delivery address of a partner. */
export interface PartnerAddress {
  /** Unique within the partner. */
  code: string;
  name: string;
  address: string | null;
  contact: string | null;
  gln: string | null;
}

export interface Partner {
  code: string;
  name: string;
  roles: PartnerRole[];
  contact: Contact | null;
  /** Global Location Number. */
  gln: string | null;
  /** Unified social credit code. */
  registrationCode: string | null;
  addresses: PartnerAddress[];
  status: (typeof PARTNER_STATUSES)[number];
  /** Rises by one with every change. */
  version: number;
  updatedAt: Date;
}
