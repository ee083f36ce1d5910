export const WAREHOUSE_KINDS = ['own', 'consignment'] as const;

export interface Warehouse {
  code: string;
  name: string;
  /** `consignment`: at a customer's place; its stock stays ours. */
  kind: (typeof WAREHOUSE_KINDS)[number];
  /** Of a consignment warehouse: the customer at whose place it is. */
  customerCode: string | null;
  /** Global Location Number. */
  gln: string | null;
  address: string | null;
  zones: { code: string; name: string }[];
  updatedAt: Date;
}
