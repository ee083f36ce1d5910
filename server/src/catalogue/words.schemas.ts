import { Type } from 'typebox';
import { Nullable } from '../platform/http/index.js';

const word = () => Nullable(Type.String());

/** The product snapshot in a document line. */
export const productWords = {
  productName: Type.String({
    description: 'The name in the document; a later rename of the product does not change it.',
  }),
  specification: word(),
  model: word(),
  manufacturer: word(),
  registrationNo: word(),
  unit: word(),
};
