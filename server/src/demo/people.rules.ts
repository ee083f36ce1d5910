export const QUALITY = 'quality@demo.example';
export const QUALITY_MANAGER = 'quality-manager@demo.example';
export const WAREHOUSE = 'warehouse@demo.example';
export const SALES = 'sales@demo.example';

export const STAFF = [
  { email: QUALITY, role: 'quality', name: 'Nora Lindqvist' },
  { email: QUALITY_MANAGER, role: 'quality', name: 'Helen Marsh' },
  { email: WAREHOUSE, role: 'warehouse', name: 'Tom Okafor' },
  { email: SALES, role: 'sales', name: 'Clara Weiss' },
  { email: 'viewer@demo.example', role: 'viewer', name: 'Paul Meyer' },
] as const;

export const ADMINISTRATOR = 'Ada Bergmann';

/** Whether the address is fictitious. A real person's name is their own choice. */
export const isOfDemo = (email: string): boolean => email.endsWith('@demo.example');
