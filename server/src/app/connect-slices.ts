import { performance } from 'node:perf_hooks';
import { findEntities, nameEntities } from '../audit/index.js';
import {
  hasStockInWarehouse,
  hasStockOfProducts,
  onProductsReplaced,
  readLowProducts,
} from '../catalogue/index.js';
import { onCertificatesChanged } from '../certificates/index.js';
import { disableCredentialsOf, onCredentialEnded } from '../credentials/index.js';
import { isInOpenDispatch, isUndelivered } from '../dispatching/index.js';
import { findPointIds } from '../environment/index.js';
import { findFewSubjects } from '../events/index.js';
import { enterMarked, indexBeforeSearch } from '../indexing/index.js';
import {
  notifyCertificateChanges,
  notifyCorrectedExpiry,
  notifyLowStock,
  notifyNearExpiry,
  notifyProductChanges,
  readStillLowCodes,
} from '../notifications/index.js';
import { endGrantsOf, onGrantEnded } from '../oauth/index.js';
import {
  hasOpenDispatch,
  hasUndeliveredDispatch,
  readIncomingGoods,
  readShelfLifeOfLines,
} from '../orders/index.js';
import { onPersonRemoved, onSignInChanged } from '../people/index.js';
import { transact } from '../platform/database/index.js';
import { isInDisposition, noteReduction, registerRejected, registerUnmatched } from '../quality/index.js';
import { findRecallIds, holdRecalledArrivals } from '../recalls/index.js';
import { onGoodsRejected, readIncoming } from '../receiving/index.js';
import { findAudited, nameAudited, searchSources } from '../search/index.js';
import {
  isHoldInDisposition,
  isProductStocked,
  isWarehouseStocked,
  onArrivals,
  onAvailableDecreased,
  onExpiryCorrected,
  onHoldReduced,
  onStockAdded,
  onUnmatchedHeld,
  readRequiredShelfLife,
} from '../stock/index.js';
import { endWebhooksOf } from '../webhooks/index.js';

const RECALLS_FOUND_MAX = 1_000;

/** Connects the hooks of lower slices to the slices above them. Every process calls it before its first transaction. */
export function connectSlices(): void {
  findEntities.connect((database, principal, text) =>
    findAudited(database, principal, text, () => performance.now()),
  );
  nameEntities.connect(nameAudited);
  findFewSubjects.connect((database, principal, text) =>
    transact(database, principal, async (tx) => [
      { type: 'recall', ids: await findRecallIds(tx, text, RECALLS_FOUND_MAX) },
      { type: 'point', ids: await findPointIds(tx, text) },
    ]),
  );
  enterMarked.connect(async (database, orgId) => {
    await indexBeforeSearch(database, orgId, searchSources);
  });
  hasStockOfProducts.connect(isProductStocked);
  hasStockInWarehouse.connect(isWarehouseStocked);
  onArrivals.connect(holdRecalledArrivals);
  isHoldInDisposition.connect(isInDisposition);
  onHoldReduced.connect(noteReduction);
  onUnmatchedHeld.connect(registerUnmatched);
  onGoodsRejected.connect(registerRejected);
  readRequiredShelfLife.connect(readShelfLifeOfLines);
  readIncomingGoods.connect(readIncoming);
  hasOpenDispatch.connect(isInOpenDispatch);
  hasUndeliveredDispatch.connect(isUndelivered);
  onAvailableDecreased.connect(notifyLowStock);
  onStockAdded.connect(notifyNearExpiry);
  onExpiryCorrected.connect(notifyCorrectedExpiry);
  onProductsReplaced.connect(notifyProductChanges);
  readLowProducts.connect(readStillLowCodes);
  onCertificatesChanged.connect(notifyCertificateChanges);
  onCredentialEnded.connect((tx, type, id) => endWebhooksOf(tx, [type === 'key' ? 'keyId' : 'clientId', id]));
  onGrantEnded.connect((tx, grantHash) => endWebhooksOf(tx, ['grantHash', grantHash]));
  onSignInChanged.connect(endGrantsOf);
  onPersonRemoved.connect(async (tx, person) => {
    await endGrantsOf(tx, person);
    await disableCredentialsOf(tx, person);
    await endWebhooksOf(tx, ['userId', person.userId]);
  });
}
