/** Columns in which tables of products and of documents' lines hold the words for a product, and their API fields. */
const WORDS = [
  ['product_name', 'productName'],
  ['specification', 'specification'],
  ['model', 'model'],
  ['manufacturer', 'manufacturer'],
  ['registration_no', 'registrationNo'],
  ['unit', 'unit'],
] as const;

/** For an insert, or with the alias of a table for a select. */
export const wordColumns = (alias = ''): string =>
  WORDS.map(([column]) => (alias === '' ? column : `${alias}.${column}`)).join(', ');

/** For `json_build_object`. */
export const wordPairs = (alias: string): string =>
  WORDS.map(([column, field]) => `'${field}', ${alias}.${column}`).join(', ');

/** For `update … set`: a line takes the words of the product. */
export const takeWords = (alias: string): string =>
  WORDS.map(([column]) => `${column} = ${alias}.${column}`).join(', ');
