export const RISK_CLASSES = ['I', 'II', 'III'] as const;
export const TRACKINGS = ['none', 'batch', 'serial'] as const;
export const PRODUCT_STATUSES = ['active', 'suspended', 'discontinued'] as const;

export type Tracking = (typeof TRACKINGS)[number];

export interface Packaging {
  udiDi: string;
  level: string;
  /** Base units in one package. */
  quantity: number;
}

export interface Product {
  id: string;
  productCode: string;
  productName: string;
  specification: string | null;
  model: string | null;
  manufacturer: string | null;
  category: string | null;
  riskClass: (typeof RISK_CLASSES)[number] | null;
  udiDi: string | null;
  packaging: Packaging[];
  registrationNo: string | null;
  unit: string | null;
  storage: {
    temperatureMin: number | null;
    temperatureMax: number | null;
    humidityMin: number | null;
    humidityMax: number | null;
  };
  sterile: boolean;
  implantable: boolean;
  tracking: Tracking;
  shelfLifeDays: number | null;
  safetyStock: number;
  nearExpiryDays: number;
  supplierCode: string | null;
  status: (typeof PRODUCT_STATUSES)[number];
  /** Rises by one with every change. */
  version: number;
  updatedAt: Date;
}

/** The input for a product; every field except the name has a default. */
export type ProductInput = { productName: string } & {
  [F in keyof Omit<Product, 'id' | 'productCode' | 'productName' | 'storage' | 'version' | 'updatedAt'>]?:
    | Product[F]
    | null
    | undefined;
} & { storage?: { [F in keyof Product['storage']]?: number | null | undefined } | null | undefined };
