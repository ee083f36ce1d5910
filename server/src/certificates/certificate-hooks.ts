import type { Tx } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';

/** A certificate that was added, corrected, renewed or reinstated. */
export interface CertificateChange {
  certificateId: string;
  /** Only of a correction: the last day of validity before and after it. */
  corrected?: { from: string | null; to: string | null };
}

/** Called in the transaction that adds, corrects, renews or reinstates certificates, once they are saved. */
export const onCertificatesChanged = createHook<[tx: Tx, changes: readonly CertificateChange[]]>(
  'certificates.onCertificatesChanged',
);
