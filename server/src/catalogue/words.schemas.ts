import { Type } from 'typebox';
import { Nullable } from '../platform/http/index.js';

const word = () => Nullable(Type.String());

/** Fields of a document's line that name its product, as it was called when the document took its words. */
export const productWords = {
  productName: Type.String({ description: 'As the document names it; a later rename does not change it.' }),
  specification: word(),
  model: word(),
  manufacturer: word(),
  registrationNo: word(),
  unit: word(),
};
