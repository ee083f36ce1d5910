import type { Issue } from '../platform/errors/index.js';
import type { Product } from './product.js';

/** The fields of a product that documents keep as a snapshot. */
export type ProductWords = Pick<
  Product,
  'productName' | 'specification' | 'model' | 'manufacturer' | 'registrationNo' | 'unit'
>;

/** Locked partners and products of a document: none can be suspended or renamed before the transaction ends. */
export interface TradeParties {
  partners: ReadonlyMap<string, { name: string; status: string }>;
  products: ReadonlyMap<string, { productName: string; status: string }>;
}

export interface TradedLine {
  path: string | null;
  productCode: string;
}

const putPath = (collection: string, code: string): string =>
  `PUT /v2/${collection}/${encodeURIComponent(code)}`;

/** Issues that forbid a sale: a suspended customer or product. Empty if the sale is allowed. */
export function saleIssues(
  parties: TradeParties,
  customerCode: string,
  lines: readonly TradedLine[],
  otherwise: string,
): Issue[] {
  return [
    ...partnerIssues(parties, 'customer', customerCode, otherwise),
    ...lines.flatMap((line) => productIssues(parties, line, 'suspended', otherwise)),
  ];
}

/** Issues that forbid a purchase: a suspended supplier, or a suspended or discontinued product. */
export function purchaseIssues(
  parties: TradeParties,
  supplierCode: string,
  lines: readonly TradedLine[],
  otherwise: string,
): Issue[] {
  return [
    ...partnerIssues(parties, 'supplier', supplierCode, otherwise),
    ...lines.flatMap((line) => [
      ...productIssues(parties, line, 'suspended', otherwise),
      ...productIssues(parties, line, 'discontinued', otherwise),
    ]),
  ];
}

function partnerIssues(
  { partners }: TradeParties,
  role: 'customer' | 'supplier',
  code: string,
  otherwise: string,
): Issue[] {
  const partner = partners.get(code);
  if (partner?.status !== 'suspended') return [];
  return [
    {
      path: `/${role}Code`,
      reason: `${role}_suspended`,
      message:
        `${role === 'customer' ? 'Customer' : 'Supplier'} ${code} (${partner.name}) is suspended. ` +
        `Set its status to active with ${putPath('partners', code)}, or ${otherwise}.`,
    },
  ];
}

function productIssues(
  { products }: TradeParties,
  { path, productCode }: TradedLine,
  status: 'suspended' | 'discontinued',
  otherwise: string,
): Issue[] {
  const product = products.get(productCode);
  if (product?.status !== status) return [];
  return [
    {
      path,
      reason: `product_${status}`,
      message:
        `Product ${productCode} (${product.productName}) is ${status}. ` +
        `Set its status to active with ${putPath('products', productCode)}, or ${otherwise}.`,
    },
  ];
}
