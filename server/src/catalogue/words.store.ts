/** The columns of a product snapshot, named alike in products and document lines, with their API fields. */
const WORDS = [
  ['product_name', 'productName'],
  ['specification', 'specification'],
  ['model', 'model'],
  ['manufacturer', 'manufacturer'],
  ['registration_no', 'registrationNo'],
  ['unit', 'unit'],
] as const;

/** Column list for an insert or, with the alias of a table, for a select. */
export const wordColumns = (alias = ''): string =>
  WORDS.map(([column]) => (alias === '' ? column : `${alias}.${column}`)).join(', ');

/** Pairs for `json_build_object`: the snapshot of the line or, until it has one, the current fields of the product. */
export const wordPairs = (line: string, product: string): string =>
  WORDS.map(
    ([column, field]) =>
      `'${field}', case when ${line}.product_name is null then ${product}.${column} else ${line}.${column} end`,
  ).join(', ');

/** Assignments for `update … set` that copy the snapshot from the product. */
export const takeWords = (alias: string): string =>
  WORDS.map(([column]) => `${column} = ${alias}.${column}`).join(', ');
