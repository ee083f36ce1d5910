export const PARTNER_ROLES = ['supplier', 'customer', 'manufacturer'] as const;
export type PartnerRole = (typeof PARTNER_ROLES)[number];
export const PARTNER_STATUSES = ['active', 'suspended'] as const;

export interface Contact {
  name: string | null;
  email: string | null;
  phone: string | null;
  address: string | null;
}

export interface Partner {
  code: string;
  name: string;
  roles: PartnerRole[];
  contact: Contact | null;
  status: (typeof PARTNER_STATUSES)[number];
  updatedAt: Date;
}
