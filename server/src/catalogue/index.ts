import type { Database } from '../platform/database/index.js';
import type { Route } from '../platform/http/index.js';
import { partnerRoutes } from './partner.routes.js';
import { productRoutes } from './product.routes.js';
import { warehouseRoutes } from './warehouse.routes.js';

export { catalogueReasons } from './catalogue.errors.js';
export { deviceIdentifierRows, partnerRows, productRows, warehouseRows } from './catalogue-rows.js';
export type { PartnerToPut } from './partner.rules.js';
export { PartnerBody } from './partner.schemas.js';
export { listPartners, lockPartners, readNamedPartners, shareLockPartner } from './partner.store.js';
export { type Product, RISK_CLASSES, TRACKINGS, type Tracking } from './product.js';
export { ProductBody } from './product.schemas.js';
export { listProducts, lockProducts, readProductCodes, unknownProducts } from './product.store.js';
export { onProductsReplaced, type ProductChange, readLowProducts } from './product-hooks.js';
export { advanceMovementCounts, lockProductsInOrder, productLocker } from './product-lock.store.js';
export { putPartners } from './put-partners.js';
export { type ProductToPut, putProducts } from './put-products.js';
export { putWarehouse } from './put-warehouse.js';
export {
  type NamedPartner,
  partnerIssues,
  unknownDevice,
  unknownProduct,
  unknownWarehouse,
} from './references.rules.js';
export { type ProductWords, purchaseIssues, saleIssues, type TradeParties } from './trade.rules.js';
export { lockTradeParties, readTradeParties, tradePartiesLocker } from './trade.store.js';
export { refuseCode, refuseWithoutDevice, udiReasons } from './udi.errors.js';
export { findWarehouse, listWarehouses, unknownWarehouses } from './warehouse.store.js';

export { productWords } from './words.schemas.js';
export { takeWords, wordColumns, wordPairs } from './words.store.js';

export const catalogueRoutes = (database: Database): Route[] => [
  ...productRoutes(database),
  ...partnerRoutes(database),
  ...warehouseRoutes(database),
];
export { BatchNo, SERIALS_MAX, Serials } from './goods.schemas.js';
export { withCanonicalCode } from './product-code.js';
export { lockCatalogueStatistics } from './statistics.store.js';
export { hasStockInWarehouse, hasStockOfProducts } from './stock-presence.js';
