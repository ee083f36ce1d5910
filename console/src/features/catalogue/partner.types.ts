import type { Item } from '@lotward/client';

export type Partner = Item<'/v2/partners'>;
export const ROLES = ['supplier', 'customer', 'manufacturer'] as const;

/** A partner in the form's shape: the contact is flattened, and addresses have keys. */
export interface PartnerDraft {
  /** Null for a new partner. */
  version: number | null;
  code: string;
  name: string;
  roles: Partner['roles'];
  status: Partner['status'];
  contactName: string | null;
  email: string | null;
  phone: string | null;
  address: string | null;
  gln: string | null;
  registrationCode: string | null;
  addresses: (Partner['addresses'][number] & { key: string })[];
}
