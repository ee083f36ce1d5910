export { findExpiredStock } from './expired-stock.store.js';
export { readStillLow, readStillLowCodes } from './low-stock.store.js';
export { nearExpiryNoticeRows } from './near-expiry-rows.js';
export { notifyCertificateChanges, notifyExpiringCertificates } from './notify-expiring-certificates.js';
export { notifyLowStock } from './notify-low-stock.js';
export { notifyCorrectedExpiry, notifyNearExpiry, notifyNearExpirySince } from './notify-near-expiry.js';
export type { NotifiedBatch } from './notify-once.js';
export { notifyProductChanges } from './notify-product-changes.js';
