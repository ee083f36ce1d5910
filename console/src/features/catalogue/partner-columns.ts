import type { Item } from '@lotward/client';
import { asOneOf, asSomeOf, asText, type CsvColumn } from './csv-columns.js';

type Partner = Item<'/v2/partners'>;

const contact = (name: keyof NonNullable<Partner['contact']>): CsvColumn<Partner> => ({
  name: `contact.${name}`,
  read: asText,
  write: (partner) => partner.contact?.[name],
});

/** The columns of a file of partners, the same as of `lotward import partners`. */
export const PARTNER_COLUMNS: readonly CsvColumn<Partner>[] = [
  { name: 'code', required: true, read: asText, write: (partner) => partner.code },
  { name: 'name', required: true, read: asText, write: (partner) => partner.name },
  {
    name: 'roles',
    required: true,
    read: asSomeOf(['supplier', 'customer', 'manufacturer']),
    write: (partner) => partner.roles.join(';'),
  },
  contact('name'),
  contact('email'),
  contact('phone'),
  contact('address'),
  { name: 'gln', read: asText, write: (partner) => partner.gln },
  { name: 'registrationCode', read: asText, write: (partner) => partner.registrationCode },
  { name: 'status', read: asOneOf(['active', 'suspended']), write: (partner) => partner.status },
];
