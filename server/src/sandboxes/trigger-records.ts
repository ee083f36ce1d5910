import { putPartners, putProducts, putWarehouse } from '../catalogue/index.js';
import { putCertificates } from '../certificates/index.js';
import { createDispatch, type Dispatch, pickDispatch, recheckDispatch } from '../dispatching/index.js';
import { approveOrders, type Order, syncOrders } from '../orders/index.js';
import { lockOwnOrganization } from '../organizations/index.js';
import { addDays } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';
import { randomBase62 } from '../platform/ids/index.js';
import { adjustStock } from '../stock/index.js';

export const SUPPLIER = 'SANDBOX-SUPPLIER';
export const CUSTOMER = 'SANDBOX-CUSTOMER';
export const WAREHOUSE = 'SANDBOX-WH';
const CODE_LENGTH = 8;
const BATCH_EXPIRES_IN_DAYS = 700;

/** A record that a trigger created or changed. */
export interface Made {
  type: string;
  id: string;
}

/** A new name each time, because most notifications are sent once per product, batch or certificate. */
export const newName = (): string => `SANDBOX-${randomBase62(CODE_LENGTH)}`;

/** The trading partners and the warehouse of all triggers. */
export async function putPlaces(tx: Tx): Promise<void> {
  await putPartners(tx, [
    { code: SUPPLIER, name: 'Sandbox supplier', roles: ['supplier'] },
    { code: CUSTOMER, name: 'Sandbox customer', roles: ['customer'] },
  ]);
  await putWarehouse(tx, { code: WAREHOUSE, name: 'Sandbox warehouse' });
}

/** A product that may be bought and sold, with all certificates that the organization requires. */
export async function newProduct(
  tx: Tx,
  limits: { safetyStock?: number; nearExpiryDays?: number } = {},
): Promise<string> {
  await putPlaces(tx);
  const productCode = newName();
  const input = { productName: `Sandbox product ${productCode}`, supplierCode: SUPPLIER, ...limits };
  await putProducts(tx, [{ productCode, input }]);
  const subjects = { supplier: SUPPLIER, product: productCode, customer: CUSTOMER };
  const { demandedCertificates } = await lockOwnOrganization(tx);
  await putCertificates(
    tx,
    demandedCertificates.map(({ subjectType, type }) => ({
      subjectType,
      subjectCode: subjects[subjectType],
      type,
      certificateNo: `SANDBOX-${type}`.slice(0, 64),
      issuer: 'Sandbox authority',
      validFrom: addDays(tx.today, -1),
    })),
  );
  return productCode;
}

/** Adds goods to stock as one batch, or removes them. */
export async function changeStock(
  tx: Tx,
  productCode: string,
  quantityDelta: number,
  expiryDate = addDays(tx.today, BATCH_EXPIRES_IN_DAYS),
): Promise<string> {
  const batch = { productCode, warehouse: WAREHOUSE, batchNo: 'SANDBOX-1', expiryDate };
  const movement = await adjustStock(tx, { ...batch, quantityDelta, reason: 'sandbox trigger' });
  return movement.movementId;
}

const ORDERED = 4;

/** An order of a new product that is in stock. */
export async function newOrder(tx: Tx): Promise<Order> {
  const productCode = await newProduct(tx);
  await changeStock(tx, productCode, 10);
  const lines = [{ lineNo: 1, productCode, quantity: ORDERED, unitPrice: '10.00' }];
  const content = { warehouse: WAREHOUSE, currency: 'EUR', lines };
  const sync = { orderNo: newName(), customerCode: CUSTOMER, by: tx, sourceVersion: null, reason: null };
  const [outcome] = await syncOrders(tx, [{ ...sync, content }]);
  return requireValue(outcome).order;
}

export async function approve(tx: Tx, { orderId }: Order): Promise<void> {
  const [outcome] = await approveOrders(tx, [{ orderId, by: tx }]);
  requireValue(outcome);
}

/** Dispatches an approved order in full; a second person re-checks. */
export async function ship(tx: Tx, { orderId, orderNo }: Order): Promise<Dispatch> {
  const dispatch = await createDispatch(tx, orderId, undefined);
  const picks = dispatch.lines.flatMap(({ lineNo, toPick }) =>
    toPick.map(({ batchNo, quantity }) => ({ lineNo, batchNo, quantity, serials: [], reason: null })),
  );
  await pickDispatch(tx, dispatch.dispatchId, picks);
  const checker = tx.as({
    actor: 'recheck@sandbox.invalid',
    credentialId: tx.credentialId,
    requestId: tx.requestId,
  });
  const passed = { result: 'pass', reason: null, carrier: 'Sandbox carrier', trackingNo: orderNo } as const;
  return recheckDispatch(checker, dispatch.dispatchId, passed);
}

function requireValue<T>(outcome: { value: T } | { failure: unknown } | undefined): T {
  if (outcome && 'value' in outcome) return outcome.value;
  throw outcome?.failure ?? new Error('a step of a trigger has no outcome');
}
