export const WAREHOUSE_KINDS = ['own', 'consignment'] as const;

export interface Warehouse {
  code: string;
  name: string;
  /** `consignment`: at a customer's site; its stock still belongs to the organization. */
  kind: (typeof WAREHOUSE_KINDS)[number];
  /** The customer at whose site a consignment warehouse is; null for an own warehouse. */
  customerCode: string | null;
  /** Global Location Number. */
  gln: string | null;
  address: string | null;
  zones: { code: string; name: string }[];
  /** Rises by one with every change. */
  version: number;
  updatedAt: Date;
}
