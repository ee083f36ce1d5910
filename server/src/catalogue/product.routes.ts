import { canonicalCode } from '@lotward/udi';
import { Type } from 'typebox';
import { findMatches } from '../indexing/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  AnyOf,
  forbidden,
  listRoute,
  putAndPatchRoutes,
  type Route,
  readRoute,
  SearchText,
  Strict,
  TaskFilter,
  Text,
} from '../platform/http/index.js';
import { isId } from '../platform/ids/index.js';
import type { Principal } from '../platform/principal.js';
import { refuseCatalogue } from './catalogue.errors.js';
import { PRODUCT_STATUSES, RISK_CLASSES } from './product.js';
import { ProductBody, ProductView, toProductView } from './product.schemas.js';
import { findCodeOfProduct, listProducts, lockProducts, productReader } from './product.store.js';
import { withCanonicalCode } from './product-code.js';
import { readLowProducts } from './product-hooks.js';
import { putProducts } from './put-products.js';

const ById = Strict({ id: Text(64, 'The id or the product code; a GTIN in any of its lengths.') });

export function productRoutes(database: Database): Route[] {
  const readProduct = productReader(database.reader);
  return [
    listRoute({
      operationId: 'listProducts',
      tagged: true,
      path: '/v2/products',
      scope: 'products:read',
      boundCredentials: 'allowed',
      tag: 'Products',
      summary: 'List products',
      description: 'Sorted by product code unless `sort` says otherwise.',
      filters: {
        q: SearchText('the code, name, specification, model, registration number or a device identifier'),
        productCode: Type.Optional(Text(64)),
        name: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name, case-insensitive.' }),
        ),
        category: Type.Optional(Text(200)),
        manufacturer: Type.Optional(Text(300)),
        riskClass: Type.Optional(AnyOf(RISK_CLASSES)),
        status: Type.Optional(AnyOf(PRODUCT_STATUSES)),
        task: TaskFilter(['products_low'], 'Needs `inventory:read`.'),
      },
      item: ProductView,
      list: 'products',
      key: (product) => product.productCode,
      updatedAt: (product) => product.updatedAt,
      sorts: { productCode: null, productName: (product) => product.productName },
      isCounted: true,
      view: toProductView,
      readRows: async ({ principal, filter: { q, task, ...filter }, page }) => {
        const matches = await findMatches(database, principal.orgId, q, ['product']);
        const productCodes = task && (await codesOfLow(database, principal));
        const where = { ...withCanonicalCode(filter), matches, productCodes };
        return listProducts(database.reader, principal.orgId, where, page);
      },
    }),
    readRoute({
      operationId: 'getProduct',
      path: '/v2/products/:id',
      scope: 'products:read',
      boundCredentials: 'allowed',
      tag: 'Products',
      summary: 'Read a product',
      params: ById,
      data: ProductView,
      async read({ principal, params }) {
        const product = await readProduct({ orgId: principal.orgId, idOrCode: canonicalCode(params.id) });
        if (!product) throw missing('product', 'id');
        return toProductView(product);
      },
    }),
    ...putAndPatchRoutes({
      path: '/v2/products/:id',
      scope: 'products:write',
      tag: 'Products',
      put: { operationId: 'putProduct', summary: 'Create or replace a product by its code' },
      patch: { operationId: 'patchProduct', summary: 'Change parts of a product' },
      params: ById,
      body: ProductBody,
      data: ProductView,
      missing: ['product', 'id'],
      async lock(tx, params) {
        const code = await codeOf(tx, params.id);
        const product = (await lockProducts(tx, [code])).get(code);
        return product ? toProductView(product) : null;
      },
      async replace(tx, { params, body }) {
        const { id: _id, version: _version, updatedAt: _updatedAt, productCode, ...input } = body;
        const code = await codeOf(tx, params.id);
        if (productCode !== undefined && canonicalCode(productCode) !== code)
          throw refuseCatalogue('code_mismatch', '/productCode');
        const [product] = await putProducts(tx, [{ productCode: code, input }]);
        if (!product) throw new Error('putProducts returned no product');
        return toProductView(product);
      },
    }),
  ];
}

/** The list of low products reveals stock, so it needs the scope for it. */
async function codesOfLow(database: Database, principal: Principal): Promise<readonly string[]> {
  if (!principal.scopes.has('inventory:read')) throw forbidden('scope_missing', 'needs inventory:read');
  return transact(database, principal, readLowProducts);
}

/** An id must belong to an existing product; a code can create a new one. */
async function codeOf(tx: Tx, idOrCode: string): Promise<string> {
  const code = isId('prd', idOrCode) ? await findCodeOfProduct(tx, idOrCode) : canonicalCode(idOrCode);
  if (code === null) throw missing('product', 'id');
  return code;
}
