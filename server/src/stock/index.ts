export { type Adjustment, adjustStock } from './adjust-stock.js';
export { availableQuantity } from './available.js';
export { batchKey, lockStockedProducts, readBatchDates, readSerialsInStock } from './balance.store.js';
export { requireBatchDates } from './batch-dates.rules.js';
export { readSuppliersOfBatches } from './batch-suppliers.store.js';
export { readBooks } from './books.store.js';
export { bringInStock, type Inbound, settleArrivals } from './bring-in-stock.js';
export { type ChangedFigures, readChangedFigures, readStockHead } from './changed-figures.js';
export {
  assignToDispatch,
  type PickedBatch,
  reserveAsPicked,
  shipStock,
  unassignFromDispatch,
} from './dispatch-stock.js';
export { type Disposal, disposeHeld, type HeldPortion } from './dispose-held.js';
export {
  type ExpiringBatch,
  type ExpiringFilter,
  listExpiring,
  readShipped,
  readUsableBatches,
} from './expiring.store.js';
export { readKnownBatches, readKnownUnits } from './goods-at-hand.store.js';
export { type HeldGoods, readHeldGoods } from './held-goods.js';
export { linkHold, readHoldsNamed } from './hold.store.js';
export { holdBatches } from './hold-batches.js';
export { type HoldRequest, holdStock } from './hold-stock.js';
export { incomingStockLocker } from './incoming-stock.store.js';
export { inventoryRoutes } from './inventory.routes.js';
export { lockProductOf, requireInBooks, unknownBatch } from './locate-stock.js';
export { correctionOf } from './movement.store.js';
export { noteDelivery } from './note-delivery.js';
export { numberChanges, numberChangesEverywhere } from './number-changes.js';
export { openStock } from './open-stock.js';
export { previewReservation, type ReservationPreview } from './preview-reservation.js';
export { readRecalledBalances } from './recalled-balance.store.js';
export {
  extendHoldsToRecall,
  holdBatchesForRecall,
  holdForRecall,
  requireNotRecalled,
} from './recalled-stock.js';
export { suits as suitsLine } from './reservation.rules.js';
export { reservableStockReader } from './reservation.store.js';
export { releaseReservations, reserveFrom, reserveStock } from './reserve-stock.js';
export { shippableStockReader } from './shippable-stock.store.js';
export { refuseStock, stockReasons } from './stock.errors.js';
export { type BatchChange, HOLD_CATEGORIES, type Hold, type Movement } from './stock.js';
export { stockRoutes } from './stock.routes.js';
export { BatchChangeView, OpeningStockRow } from './stock.schemas.js';
export { stockChangeRoutes } from './stock-change.routes.js';
export { readFeedHeads } from './stock-change.store.js';
export {
  type ArrivedGoods,
  type HoldReduction,
  isHoldInDisposition,
  type OrderLineKey,
  onArrivals,
  onAvailableDecreased,
  onExpiryCorrected,
  onHoldReduced,
  onStockAdded,
  onUnmatchedHeld,
  readRequiredShelfLife,
  type UnmatchedGoods,
} from './stock-hooks.js';
export { readStockOverview } from './stock-overview.store.js';
export { isProductStocked, isWarehouseStocked } from './stock-presence.store.js';
export {
  balanceRows,
  batchCorrectionRows,
  batchRows,
  holdRows,
  holdSerialRows,
  movementRows,
  movementSerialRows,
  recallHoldRows,
  reservationRows,
  serialRows,
} from './stock-rows.js';
export { verifyStock } from './verify-stock.js';
