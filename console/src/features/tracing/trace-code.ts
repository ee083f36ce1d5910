const GTIN = /^\d{14}$/;
/** GS1 also allows brackets in values, but with brackets around its identifiers such a code would be ambiguous. */
const NUMBER = /^[\w!"%&'*+,\-./:;<=>?]{1,20}$/;

/** The code for tracing a batch; null for goods that no GS1 code can identify. */
export const traceCodeOf = (productCode: string | null, batchNo: string): string | null =>
  GTIN.test(productCode ?? '') && NUMBER.test(batchNo) ? `(01)${productCode}(10)${batchNo}` : null;
