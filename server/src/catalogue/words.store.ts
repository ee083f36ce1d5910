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

/** For `json_build_object`: the words of the line, or, as long as it has none of its own, those of its product. */
export const wordPairs = (line: string, product: string): string =>
  WORDS.map(
    ([column, field]) =>
      `'${field}', case when ${line}.product_name is null then ${product}.${column} else ${line}.${column} end`,
  ).join(', ');

/** For `update … set`: a line takes the words of the product. */
export const takeWords = (alias: string): string =>
  WORDS.map(([column]) => `${column} = ${alias}.${column}`).join(', ');
