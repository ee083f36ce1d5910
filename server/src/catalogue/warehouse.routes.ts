import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  Code,
  Instant,
  listRoute,
  Model,
  Nullable,
  OneOf,
  putAndPatchRoutes,
  type Route,
  readRoute,
  SearchText,
  Strict,
  Text,
  Version,
} from '../platform/http/index.js';
import { refuseCatalogue } from './catalogue.errors.js';
import { Gln } from './partner.schemas.js';
import { putWarehouse } from './put-warehouse.js';
import { WAREHOUSE_KINDS, type Warehouse } from './warehouse.js';
import { findWarehouse, listWarehouses, lockWarehouse } from './warehouse.store.js';

const Zone = Strict({ code: Code(), name: Text(200) });
const WarehouseView = Model('Warehouse', {
  code: Type.String(),
  name: Type.String(),
  kind: OneOf(WAREHOUSE_KINDS),
  customerCode: Nullable(
    Type.String({ description: 'The customer at whose site a consignment warehouse is.' }),
  ),
  gln: Gln(),
  address: Nullable(Type.String()),
  zones: Type.Array(Zone),
  version: Version(),
  updatedAt: Instant(),
});
const WarehouseBody = Strict({
  name: Text(300),
  kind: Type.Optional(OneOf(WAREHOUSE_KINDS)),
  customerCode: Type.Optional(
    Nullable(Code('A customer. Required with `kind` consignment, and only there.')),
  ),
  gln: Type.Optional(Gln()),
  address: Type.Optional(Nullable(Text(500))),
  zones: Type.Optional(Type.Array(Zone, { maxItems: 200 })),
  code: Type.Optional(Code('If sent, must equal the code in the path.')),
  version: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  updatedAt: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
});
const ByCode = Strict({ code: Code() });

const toView = (warehouse: Warehouse) => ({ ...warehouse, updatedAt: warehouse.updatedAt.toISOString() });

export function warehouseRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listWarehouses',
      tagged: true,
      path: '/v2/warehouses',
      scope: 'products:read',
      tag: 'Warehouses',
      summary: 'List warehouses and their zones',
      item: WarehouseView,
      list: 'warehouses',
      key: (warehouse) => warehouse.code,
      updatedAt: (warehouse) => warehouse.updatedAt,
      filters: { q: SearchText('the code or name') },
      isCounted: true,
      view: toView,
      readRows: ({ principal, filter, page }) =>
        transact(database, principal, (tx) => listWarehouses(tx, filter, page)),
    }),
    readRoute({
      operationId: 'getWarehouse',
      path: '/v2/warehouses/:code',
      scope: 'products:read',
      tag: 'Warehouses',
      summary: 'Read a warehouse',
      params: ByCode,
      data: WarehouseView,
      async read({ principal, params }) {
        const warehouse = await transact(database, principal, (tx) => findWarehouse(tx, params.code));
        if (!warehouse) throw missing('warehouse', 'code');
        return toView(warehouse);
      },
    }),
    ...putAndPatchRoutes({
      path: '/v2/warehouses/:code',
      scope: 'products:write',
      tag: 'Warehouses',
      put: { operationId: 'putWarehouse', summary: 'Create or replace a warehouse' },
      patch: { operationId: 'patchWarehouse', summary: 'Change parts of a warehouse' },
      params: ByCode,
      body: WarehouseBody,
      data: WarehouseView,
      missing: ['warehouse', 'code'],
      async lock(tx, { code }) {
        const warehouse = await lockWarehouse(tx, code);
        return warehouse && toView(warehouse);
      },
      async replace(tx, { params, body }) {
        if (body.code !== undefined && body.code !== params.code)
          throw refuseCatalogue('code_mismatch', '/code');
        const { code: _code, version: _version, updatedAt: _updatedAt, ...input } = body;
        return toView(await putWarehouse(tx, { ...input, code: params.code }));
      },
    }),
  ];
}
