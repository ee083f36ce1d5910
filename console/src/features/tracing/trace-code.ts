const GTIN = /^\d{14}$/;
/** GS1 allows brackets too; written with brackets around its identifiers, such a code could not be read. */
const NUMBER = /^[\w!"%&'*+,\-./:;<=>?]{1,20}$/;

/** The code by which a batch is traced; null for goods that no GS1 code can name. */
export const traceCodeOf = (productCode: string | null, batchNo: string): string | null =>
  GTIN.test(productCode ?? '') && NUMBER.test(batchNo) ? `(01)${productCode}(10)${batchNo}` : null;
