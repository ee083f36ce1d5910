import type { FeedType } from './event-catalogue.js';

/** The codes an event concerns. A missing list stands for every code, an empty one for none. */
export interface Concerns {
  customerCodes?: readonly string[];
  warehouses?: readonly string[];
  productCodes?: readonly string[];
}

/** The fields of payloads that name customers, warehouses and products. */
interface Payload {
  customerCode: string | null;
  warehouse: string;
  byWarehouse: readonly { warehouse: string }[];
  productCode: string;
  lines: readonly { productCode: string }[];
  subjectType: 'supplier' | 'product';
  subjectCode: string;
}

const distinct = (codes: readonly string[]): string[] => [...new Set(codes)];
const productsOf = ({ lines }: Payload): string[] => distinct(lines.map((line) => line.productCode));

// A recall concerns every warehouse, because the goods may be anywhere. Its customers are those with a view of it.
const recall = ({ productCode }: Payload): Concerns => ({ customerCodes: [], productCodes: [productCode] });

const RULES: Readonly<Record<FeedType, (data: Payload) => Concerns>> = {
  // The payload of an order has no warehouse or products, so its publisher supplies them.
  'order.status_changed': ({ customerCode }) => ({
    customerCodes: customerCode === null ? [] : [customerCode],
  }),
  'inventory.inbound_completed': (data) => ({
    customerCodes: [],
    warehouses: [data.warehouse],
    productCodes: productsOf(data),
  }),
  'inventory.outbound_completed': (data) => ({
    customerCodes: data.customerCode === null ? [] : [data.customerCode],
    warehouses: [data.warehouse],
    productCodes: productsOf(data),
  }),
  // The safety stock applies to all warehouses together.
  'inventory.low_stock': ({ productCode }) => ({ customerCodes: [], productCodes: [productCode] }),
  'expiry.warning': ({ productCode, byWarehouse }) => ({
    customerCodes: [],
    warehouses: distinct(byWarehouse.map(({ warehouse }) => warehouse)),
    productCodes: [productCode],
  }),
  'certificate.expiring': ({ subjectType, subjectCode }) => ({
    customerCodes: [],
    warehouses: [],
    productCodes: subjectType === 'product' ? [subjectCode] : [],
  }),
  'environment.alert': ({ warehouse }) => ({ customerCodes: [], warehouses: [warehouse], productCodes: [] }),
  'recall.opened': recall,
  'recall.updated': recall,
  'recall.closed': recall,
};

/** `given`: codes that the payload lacks. */
export const concernsOf = (type: FeedType, data: object, given: Concerns = {}): Concerns => ({
  ...RULES[type](data as Payload),
  ...given,
});
