/** The first items, and the total number. */
export interface Listed<T> {
  items: T[];
  total: number;
}

export interface DigestCertificate {
  certificateNo: string;
  type: string;
  subject: string;
  validTo: string;
  daysRemaining: number;
}

export interface DigestBatch {
  productCode: string;
  productName: string;
  batchNo: string;
  expiryDate: string;
  daysRemaining: number;
  quantity: number;
}

export interface DigestAlert {
  pointName: string;
  warehouse: string;
  metric: string;
  lastValue: number;
  lowerLimit: number | null;
  upperLimit: number | null;
  startedAt: Date;
  acknowledged: boolean;
}

export interface DigestContent {
  certificates: Listed<DigestCertificate>;
  batches: Listed<DigestBatch>;
  alerts: Listed<DigestAlert>;
}
