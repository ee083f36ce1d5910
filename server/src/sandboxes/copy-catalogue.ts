import {
  listPartners,
  listProducts,
  listWarehouses,
  putPartners,
  putProducts,
  putWarehouse,
} from '../catalogue/index.js';
import { listCertificatesInForce, putCertificates } from '../certificates/index.js';
import { type Database, type Tx, transact, usualPage } from '../platform/database/index.js';
import type { Principal } from '../platform/principal.js';

/** Enough to try a program with, yet few enough to copy while the caller waits. */
const COPIED_MAX = { partners: 1_000, warehouses: 100, products: 2_000, certificates: 2_000 };
const PER_TRANSACTION = 500;

export interface Copied {
  partners: number;
  warehouses: number;
  products: number;
  certificates: number;
}

export const NOTHING_COPIED: Copied = { partners: 0, warehouses: 0, products: 0, certificates: 0 };

/**
 * Copies the first partners, warehouses and products, by code, with their certificates. Reads as one organization and writes
 * as the other: no statement names both. Copies only what the caller may read, because the sandbox's key may read all of it,
 * and no contact persons of partners.
 */
export async function copyCatalogue(database: Database, from: Principal, to: Principal): Promise<Copied> {
  if (!from.scopes.has('products:read')) return NOTHING_COPIED;
  const source = await transact(database, from, async (tx) => ({
    partners: await listPartners(tx, {}, usualPage(null, COPIED_MAX.partners)),
    warehouses: await listWarehouses(tx, {}, usualPage(null, COPIED_MAX.warehouses)),
    certificates: from.scopes.has('certificates:read')
      ? await listCertificatesInForce(tx, COPIED_MAX.certificates)
      : [],
  }));
  const products = await listProducts(database.reader, from.orgId, {}, usualPage(null, COPIED_MAX.products));
  const partnerCodes = new Set(source.partners.map(({ code }) => code));
  const productCodes = new Set(products.map(({ productCode }) => productCode));
  const inBatches = <T>(items: readonly T[], put: (tx: Tx, batch: readonly T[]) => Promise<unknown>) =>
    writeInBatches(database, to, items, put);

  const partners = source.partners.map((partner) => ({
    ...partner,
    contact: null,
    addresses: partner.addresses.map((address) => ({ ...address, contact: null })),
  }));
  const warehouses = source.warehouses.filter(
    ({ customerCode }) => customerCode === null || partnerCodes.has(customerCode),
  );
  const certificates = source.certificates.filter(({ subjectType, subjectCode }) =>
    (subjectType === 'product' ? productCodes : partnerCodes).has(subjectCode),
  );
  await inBatches(partners, putPartners);
  await inBatches(warehouses, async (tx, batch) => {
    for (const warehouse of batch) await putWarehouse(tx, warehouse);
  });
  await inBatches(products, (tx, batch) =>
    putProducts(
      tx,
      batch.map(({ productCode, ...product }) => ({
        productCode,
        input: {
          ...product,
          supplierCode: partnerCodes.has(product.supplierCode ?? '') ? product.supplierCode : null,
        },
      })),
    ),
  );
  await inBatches(certificates, putCertificates);
  return {
    partners: partners.length,
    warehouses: warehouses.length,
    products: products.length,
    certificates: certificates.length,
  };
}

async function writeInBatches<T>(
  database: Database,
  to: Principal,
  items: readonly T[],
  put: (tx: Tx, batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < items.length; at += PER_TRANSACTION)
    await transact(database, to, (tx) => put(tx, items.slice(at, at + PER_TRANSACTION)));
}
