import { SCOPES, type Scope } from '../access/index.js';
import type { UserRole } from './user.js';

const READ_GOODS: readonly Scope[] = [
  'products:read',
  'inventory:read',
  'receipts:read',
  'orders:read',
  'dispatches:read',
  'udi:read',
  'recalls:read',
  'certificates:read',
  'environment:read',
  'events:read',
];

/** Named sets of scopes. Every role reads the goods; it writes only in its own area. */
export const ROLES: Readonly<Record<UserRole, { description: string; scopes: readonly Scope[] }>> = {
  admin: {
    description: 'Full access, including settings, people and credentials.',
    scopes: SCOPES,
  },
  quality: {
    description:
      'Accepts receipts, re-checks dispatches, holds and releases stock, makes quality decisions, opens recalls, manages certificates and monitoring points.',
    scopes: [
      ...READ_GOODS,
      'products:write',
      'inventory:write',
      'receipts:write',
      // For the re-check; the `same_person` rule keeps it separate from picking.
      'dispatches:write',
      'recalls:write',
      'certificates:write',
      'quality:read',
      'quality:write',
      'environment:write',
      'audit:read',
    ],
  },
  warehouse: {
    description: 'Receives, picks, re-checks and ships; adjusts, holds and transfers stock.',
    scopes: [...READ_GOODS, 'quality:read', 'inventory:write', 'receipts:write', 'dispatches:write'],
  },
  sales: {
    description: 'Enters, approves and rejects orders.',
    scopes: [...READ_GOODS, 'orders:write', 'orders:approve'],
  },
  viewer: { description: 'Read-only.', scopes: READ_GOODS },
};

const scopeSets = Object.fromEntries(
  Object.entries(ROLES).map(([role, { scopes }]) => [role, new Set<string>(scopes)]),
) as unknown as Readonly<Record<UserRole, ReadonlySet<string>>>;

export const scopesOfRole = (role: UserRole): ReadonlySet<string> => scopeSets[role];
