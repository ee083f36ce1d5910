import { publishedRows } from '../platform/database/index.js';

export const productRows = publishedRows(`
  select org_id, product_code, product_id, product_name, specification, model, manufacturer, registration_no, category, risk_class, unit,
    sterile, implantable, tracking, safety_stock, near_expiry_days, temperature_min, temperature_max, humidity_min, humidity_max, movements_made,
    status, created_at
  from products`);

export const partnerRows = publishedRows(
  'select org_id, code, name, roles, gln, registration_code, status, created_at from partners',
);

export const warehouseRows = publishedRows('select org_id, code, name from warehouses');

export const deviceIdentifierRows = publishedRows(
  'select org_id, udi_di, product_code, level, quantity from device_identifiers',
);
