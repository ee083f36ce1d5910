import { recordAudit } from '../audit/index.js';
import { createCertificate } from '../certificates/index.js';
import { putPoint, recordReadings } from '../environment/index.js';
import type { EventType } from '../events/index.js';
import { addDays } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';
import { acknowledgeRecall, closeRecall, openRecall } from '../recalls/index.js';
import { acceptReceipt, syncReceipt } from '../receiving/index.js';
import {
  approve,
  CUSTOMER,
  changeStock,
  type Made,
  newName,
  newOrder,
  newProduct,
  putPlaces,
  SUPPLIER,
  ship,
  WAREHOUSE,
} from './trigger-records.js';

/** Below the first threshold of certificates, and below the near-expiry range given. */
const SOON_DAYS = 20;

/** For each type, the change that causes it, made by the same functions as a partner's requests. */
const triggers: Readonly<Record<EventType, (tx: Tx) => Promise<Made[]>>> = {
  async 'order.status_changed'(tx) {
    const order = await newOrder(tx);
    await approve(tx, order);
    return [{ type: 'order', id: order.orderId }];
  },
  async 'inventory.inbound_completed'(tx) {
    const productCode = await newProduct(tx);
    const line = { lineNo: 1, productCode, batchNo: 'SANDBOX-1', quantity: 10 };
    const { receipt } = await syncReceipt(tx, newName(), {
      supplierCode: SUPPLIER,
      warehouse: WAREHOUSE,
      lines: [{ ...line, expiryDate: addDays(tx.today, 700) }],
    });
    const verdict = { lineNo: 1, acceptedQuantity: 10, rejectedQuantity: 0 };
    await acceptReceipt(tx, receipt.receiptId, [verdict]);
    return [
      { type: 'receipt', id: receipt.receiptId },
      { type: 'product', id: productCode },
    ];
  },
  async 'inventory.outbound_completed'(tx) {
    const order = await newOrder(tx);
    await approve(tx, order);
    const { dispatchId } = await ship(tx, order);
    return [
      { type: 'order', id: order.orderId },
      { type: 'dispatch', id: dispatchId },
    ];
  },
  async 'inventory.low_stock'(tx) {
    const productCode = await newProduct(tx, { safetyStock: 10 });
    await changeStock(tx, productCode, 12);
    const id = await changeStock(tx, productCode, -5);
    return [
      { type: 'product', id: productCode },
      { type: 'movement', id },
    ];
  },
  async 'inventory.changed'(tx) {
    const productCode = await newProduct(tx);
    const id = await changeStock(tx, productCode, 10);
    return [
      { type: 'product', id: productCode },
      { type: 'movement', id },
    ];
  },
  async 'expiry.warning'(tx) {
    const productCode = await newProduct(tx, { nearExpiryDays: SOON_DAYS + 10 });
    await changeStock(tx, productCode, 10, addDays(tx.today, SOON_DAYS));
    return [
      { type: 'product', id: productCode },
      { type: 'batch', id: `${productCode}/SANDBOX-1` },
    ];
  },
  async 'certificate.expiring'(tx) {
    await putPlaces(tx);
    const { certificateId } = await createCertificate(tx, {
      subjectType: 'supplier',
      subjectCode: SUPPLIER,
      type: 'sandbox',
      certificateNo: newName(),
      issuer: 'Sandbox authority',
      validFrom: addDays(tx.today, -300),
      validTo: addDays(tx.today, SOON_DAYS),
    });
    return [{ type: 'certificate', id: certificateId }];
  },
  async 'environment.alert'(tx) {
    await putPlaces(tx);
    const pointId = newName();
    await putPoint(tx, pointId, {
      name: pointId,
      warehouse: WAREHOUSE,
      temperature: { min: 2, max: 8 },
    });
    const reading = { pointId, at: tx.now.toISOString(), temperature: 15 };
    const { alerts } = await recordReadings(tx, [reading], { retentionDays: 1 });
    return [{ type: 'point', id: pointId }, ...alerts.map((id) => ({ type: 'alert', id }))];
  },
  async 'recall.opened'(tx) {
    const productCode = await newProduct(tx);
    await changeStock(tx, productCode, 10);
    return [await recall(tx, productCode)];
  },
  async 'recall.updated'(tx) {
    const order = await newOrder(tx);
    await approve(tx, order);
    await ship(tx, order);
    const opened = await recall(tx, order.lines[0]?.productCode ?? '');
    await acknowledgeRecall(tx, opened.id, { customerCode: CUSTOMER, note: null });
    return [opened, { type: 'order', id: order.orderId }];
  },
  async 'recall.closed'(tx) {
    // None of it is in stock or at a customer, so nothing keeps the recall open.
    const opened = await recall(tx, await newProduct(tx));
    await closeRecall(tx, opened.id, { reason: 'sandbox trigger', unanswered: [] });
    return [opened];
  },
};

async function recall(tx: Tx, productCode: string): Promise<Made> {
  const reason = 'sandbox trigger';
  const { recallId } = await openRecall(tx, { recallNo: newName(), productCode, class: 'II', reason });
  return { type: 'recall', id: recallId };
}

export async function triggerEvent(
  tx: Tx,
  eventType: EventType,
): Promise<{ eventType: EventType; businessDate: string; made: Made[] }> {
  const made = await triggers[eventType](tx);
  await recordAudit(tx, {
    action: 'sandbox.trigger',
    entityType: 'organization',
    entityId: tx.orgId,
    after: { eventType, made },
  });
  return { eventType, businessDate: tx.today, made };
}
