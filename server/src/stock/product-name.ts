import { productRows } from '../catalogue/index.js';

/** The column with the name of the product of a row, as it is now; $1 is the organization. */
export const productName = (row: string): string =>
  `(select p.product_name from ${productRows('$1')} p where p.product_code = ${row}.product_code) as "productName"`;
