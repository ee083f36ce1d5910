import type { Item } from '@lotward/client';
import type { CsvColumn } from './csv-columns.js';

type Product = Item<'/v2/products'>;
type Column = CsvColumn<Product>;

const text = (
  name: keyof Product &
    (
      | 'specification'
      | 'model'
      | 'manufacturer'
      | 'category'
      | 'registrationNo'
      | 'unit'
      | 'udiDi'
      | 'supplierCode'
    ),
): Column => ({ name, write: (product) => product[name] });
const number = (name: 'shelfLifeDays' | 'safetyStock' | 'nearExpiryDays'): Column => ({
  name,
  write: (product) => product[name],
});
const storage = (name: keyof Product['storage']): Column => ({
  name: `storage.${name}`,
  write: (product) => product.storage[name],
});

/** The columns of a file of products, the same as of `lotward import products`. */
export const PRODUCT_COLUMNS: readonly Column[] = [
  { name: 'productCode', required: true, write: (product) => product.productCode },
  { name: 'productName', required: true, write: (product) => product.productName },
  text('specification'),
  text('model'),
  text('manufacturer'),
  text('category'),
  { name: 'riskClass', write: (product) => product.riskClass },
  text('udiDi'),
  text('registrationNo'),
  text('unit'),
  number('shelfLifeDays'),
  text('supplierCode'),
  {
    name: 'packaging',
    write: (product) =>
      product.packaging.map(({ udiDi, level, quantity }) => `${udiDi}:${level}:${quantity}`).join(';'),
  },
  storage('temperatureMin'),
  storage('temperatureMax'),
  storage('humidityMin'),
  storage('humidityMax'),
  { name: 'sterile', write: (product) => product.sterile },
  { name: 'implantable', write: (product) => product.implantable },
  { name: 'tracking', write: (product) => product.tracking },
  number('safetyStock'),
  number('nearExpiryDays'),
  {
    name: 'status',
    write: (product) => product.status,
  },
];
