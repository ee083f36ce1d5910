import { onProductsReplaced } from '../catalogue/index.js';
import { onCertificatesChanged } from '../certificates/index.js';
import {
  notifyCertificateChanges,
  notifyCorrectedExpiry,
  notifyLowStock,
  notifyNearExpiry,
  notifyProductChanges,
} from '../notifications/index.js';
import { onAvailableDecreased, onExpiryCorrected, onStockAdded } from '../stock/index.js';

/** Connects the hooks of lower slices to the slices above them. Every process calls it before its first transaction. */
export function connectSlices(): void {
  onAvailableDecreased.connect(notifyLowStock);
  onStockAdded.connect(notifyNearExpiry);
  onExpiryCorrected.connect(notifyCorrectedExpiry);
  onProductsReplaced.connect(notifyProductChanges);
  onCertificatesChanged.connect(notifyCertificateChanges);
}
