export { certificateReasons } from './certificate.errors.js';
export {
  CERTIFICATE_STATUSES,
  SUBJECT_TYPES as CERTIFICATE_SUBJECT_TYPES,
  type Subject,
} from './certificate.js';
export { certificateRoutes } from './certificate.routes.js';
export { certificateMachine, statusOn as certificateStatusOn } from './certificate.rules.js';
export { CertificateRow } from './certificate.schemas.js';
export {
  keyOfText as certificateKeyOf,
  keyText as certificateKeyText,
  listCertificatesInForce,
  lockCurrent as lockCurrentCertificates,
} from './certificate.store.js';
export { certificateFileRoutes } from './certificate-file.routes.js';
export { type CertificateChange, onCertificatesChanged } from './certificate-hooks.js';
export { readCertificateCounts, readCertificatesToRenew } from './certificate-overview.store.js';
export {
  certificateCoverageChangeRows,
  certificateRows,
  certificateStatusChangeRows,
  coverageTraits,
} from './certificate-rows.js';
export type { Coverage, CoverageTraits } from './coverage.js';
export { coversProduct } from './coverage.rules.js';
export { createCertificate } from './create-certificate.js';
export { type Gate, type GateWarning, gateReader, reviewGate } from './gate.js';
export { Warnings } from './gate.schemas.js';
export { type CertificateToPut, currentKeyOf, putCertificates } from './put-certificates.js';
export { lockCertificateStatistics } from './statistics.store.js';
