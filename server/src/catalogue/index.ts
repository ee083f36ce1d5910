import type { Database } from '../platform/database/index.js';
import type { Route } from '../platform/http/index.js';
import { partnerRoutes } from './partner.routes.js';
import { productRoutes } from './product.routes.js';
import { warehouseRoutes } from './warehouse.routes.js';

export { catalogueReasons, refuseCatalogue } from './catalogue.errors.js';
export { PartnerBody } from './partner.schemas.js';
export { lockPartners, readPartnerRoles } from './partner.store.js';
export type { Tracking } from './product.js';
export { ProductBody } from './product.schemas.js';
export { lockProducts, unknownProducts } from './product.store.js';
export { type PartnerToPut, putPartners } from './put-partners.js';
export { type ProductToPut, putProducts } from './put-products.js';
export { putWarehouse } from './put-warehouse.js';
export { refuseCode, udiReasons } from './udi.errors.js';
export { findWarehouse, unknownWarehouses } from './warehouse.store.js';

export const catalogueRoutes = (database: Database): Route[] => [
  ...productRoutes(database),
  ...partnerRoutes(database),
  ...warehouseRoutes(database),
];
