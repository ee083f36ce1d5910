import type { Data } from '@lotward/client';

export type Readiness = Data<'/v2/orders/{orderId}/readiness', 'get'>;
export type ReadyLine = NonNullable<Readiness['lines']>[number];
type Certificates = NonNullable<Readiness['certificates']>;
type CertificateIssue = Certificates['subjects'][number]['issues'][number];

export interface LineLicences {
  issues: CertificateIssue[];
  /** The number of certificates in force of the customer and the product. */
  inForce: number;
}

/** The licences that one product of the order depends on: its own, and those of the customer that concern it. */
export function licencesOf({ subjects }: Certificates, productCode: string): LineLicences {
  const concerned = subjects.filter(
    ({ subjectType, subjectCode }) => subjectType !== 'product' || subjectCode === productCode,
  );
  return {
    issues: concerned
      .flatMap(({ issues }) => issues)
      .filter((issue) => issue.productCode === null || issue.productCode === productCode),
    inForce: concerned.reduce((sum, { inForce }) => sum + inForce.length, 0),
  };
}

/** Whether the order could be approved now, as far as the person may see. */
export function isReady({ suspensions, certificates, lines }: Readiness): boolean {
  const isRefused =
    certificates?.gate === 'refuse' && certificates.subjects.some(({ issues }) => issues.length > 0);
  return suspensions.length === 0 && !isRefused && (lines ?? []).every((line) => line.missingQuantity === 0);
}
