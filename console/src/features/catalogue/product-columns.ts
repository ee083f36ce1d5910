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
  example: string,
): Column => ({ name, example, write: (product) => product[name] });
const number = (name: 'shelfLifeDays' | 'safetyStock' | 'nearExpiryDays', example: string): Column => ({
  name,
  example,
  write: (product) => product[name],
});
const storage = (name: keyof Product['storage'], example: string): Column => ({
  name: `storage.${name}`,
  example,
  write: (product) => product.storage[name],
});
const yesNo = (name: 'sterile' | 'implantable'): Column => ({
  name,
  example: 'true',
  write: (product) => product[name],
});

/** The columns of a file of products, the same as of `lotward import products`. */
export const PRODUCT_COLUMNS: readonly Column[] = [
  { name: 'productCode', required: true, example: '06901234567892', write: (product) => product.productCode },
  {
    name: 'productName',
    required: true,
    example: 'Coronary stent 3.0 × 18 mm',
    write: (product) => product.productName,
  },
  text('specification', '3.0 × 18 mm'),
  text('model', 'COR-001'),
  text('manufacturer', 'Halvorsen Vascular'),
  text('category', '6846'),
  { name: 'riskClass', example: 'III', write: (product) => product.riskClass },
  text('udiDi', '06901234567892'),
  text('registrationNo', 'MDR 731140'),
  text('unit', 'pc'),
  number('shelfLifeDays', '1095'),
  text('supplierCode', 'SUP-ALDER'),
  {
    name: 'packaging',
    example: '16901234567899:box:10',
    write: (product) =>
      product.packaging.map(({ udiDi, level, quantity }) => `${udiDi}:${level}:${quantity}`).join(';'),
  },
  storage('temperatureMin', '15'),
  storage('temperatureMax', '25'),
  storage('humidityMin', '30'),
  storage('humidityMax', '70'),
  yesNo('sterile'),
  yesNo('implantable'),
  { name: 'tracking', example: 'batch', write: (product) => product.tracking },
  number('safetyStock', '20'),
  number('nearExpiryDays', '180'),
  {
    name: 'status',
    example: 'active',
    write: (product) => product.status,
  },
];
