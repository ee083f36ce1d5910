import type { Item } from '@lotward/client';
import type { CsvColumn } from './csv-columns.js';

type Partner = Item<'/v2/partners'>;

const contact = (name: keyof NonNullable<Partner['contact']>): CsvColumn<Partner> => ({
  name: `contact.${name}`,
  write: (partner) => partner.contact?.[name],
});

/** The columns of a file of partners, the same as of `lotward import partners`. */
export const PARTNER_COLUMNS: readonly CsvColumn<Partner>[] = [
  { name: 'code', required: true, write: (partner) => partner.code },
  { name: 'name', required: true, write: (partner) => partner.name },
  {
    name: 'roles',
    required: true,
    write: (partner) => partner.roles.join(';'),
  },
  contact('name'),
  contact('email'),
  contact('phone'),
  contact('address'),
  { name: 'gln', write: (partner) => partner.gln },
  { name: 'registrationCode', write: (partner) => partner.registrationCode },
  { name: 'status', write: (partner) => partner.status },
];
