import { type Issue, unknownReference } from '../platform/errors/index.js';
import type { PartnerRole } from './partner.js';

/** Issues for references to partners, warehouses and products that do not exist or do not fit, each with a remedy. */

export interface NamedPartner {
  name: string;
  roles: readonly PartnerRole[];
}

const createWith = (collection: string, code: string): string =>
  `Create it with PUT /v2/${collection}/${encodeURIComponent(code)}.`;

const ROLE_NAMES: Record<PartnerRole, string> = {
  customer: 'Customer',
  supplier: 'Supplier',
  manufacturer: 'Manufacturer',
};

/** Empty when the partner exists and has the role. */
export function partnerIssues(
  path: string,
  code: string,
  role: PartnerRole,
  partner: NamedPartner | undefined,
): Issue[] {
  if (!partner) return [unknownReference(path, `${ROLE_NAMES[role]} ${code}`, createWith('partners', code))];
  if (partner.roles.includes(role)) return [];
  const has = `${partner.roles.length === 1 ? 'role' : 'roles'} ${partner.roles.join(' and ')}`;
  return [
    {
      path,
      reason: 'wrong_partner_role',
      message:
        `Partner ${code} (${partner.name}) has the ${has}, but this needs the role ${role}. ` +
        `Add it with PUT /v2/partners/${encodeURIComponent(code)}, or name another partner.`,
    },
  ];
}

export const unknownWarehouse = (path: string, code: string): Issue =>
  unknownReference(path, `Warehouse ${code}`, createWith('warehouses', code));

export const unknownProduct = (path: string, code: string): Issue =>
  unknownReference(path, `Product ${code}`, createWith('products', code));

export const unknownDevice = (path: string, deviceIdentifier: string): Issue =>
  unknownReference(
    path,
    `A product with device identifier ${deviceIdentifier}`,
    'Give the product this udiDi, or a package with it, with PUT /v2/products/{productCode}.',
  );
