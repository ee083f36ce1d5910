import type { Item } from '@lotward/client';
import type { CsvColumn } from './csv-columns.js';

type Partner = Item<'/v2/partners'>;

const contact = (name: keyof NonNullable<Partner['contact']>, example: string): CsvColumn<Partner> => ({
  name: `contact.${name}`,
  example,
  write: (partner) => partner.contact?.[name],
});

/** The columns of a file of partners, the same as of `lotward import partners`. */
export const PARTNER_COLUMNS: readonly CsvColumn<Partner>[] = [
  { name: 'code', required: true, example: 'HOSP-001', write: (partner) => partner.code },
  { name: 'name', required: true, example: 'St. Brannoc General Hospital', write: (partner) => partner.name },
  {
    name: 'roles',
    required: true,
    example: 'supplier;manufacturer',
    write: (partner) => partner.roles.join(';'),
  },
  contact('name', 'Jane Miller'),
  contact('email', 'purchasing@hospital.example'),
  contact('phone', '+44 20 7946 0000'),
  contact('address', '1 High Street, Riverbend'),
  { name: 'gln', example: '4012345000009', write: (partner) => partner.gln },
  { name: 'registrationCode', example: '91350100M000100Y43', write: (partner) => partner.registrationCode },
  { name: 'status', example: 'active', write: (partner) => partner.status },
];
