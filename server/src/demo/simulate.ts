import { recordReadings } from '../environment/index.js';
import { listOrders, syncOrders } from '../orders/index.js';
import { addDays } from '../platform/calendar/index.js';
import { type Database, transact, usualPage } from '../platform/database/index.js';
import { Refusal } from '../platform/errors/index.js';
import { acceptReceipt, syncReceipt } from '../receiving/index.js';
import { readingsNow } from './environment.rules.js';
import { CUSTOMER_CODES, WAREHOUSES } from './partners.rules.js';
import { type DemoProduct, demoProducts } from './products.rules.js';
import { type Goal, type People, workOrder } from './work-order.js';

/** A number from 0 up to, but not including, 1. */
export type Chance = () => number;

/** Records sensor readings and performs one plausible action of a user; returns its description. */
export async function simulateStep(
  database: Database,
  people: People,
  chance: Chance,
  serial: string,
): Promise<string> {
  await measure(database, people);
  const draw = chance();
  if (draw < 0.2) return receive(database, people, chance, serial);
  if (draw < 0.55) return order(database, people, chance, serial);
  return advance(database, people, chance);
}

const oneOf = <T>(items: readonly T[], chance: Chance): T => items[Math.floor(chance() * items.length)] as T;
const products: readonly DemoProduct[] = demoProducts();
const batched = products.filter((product) => product.family.tracking === 'batch');

/** Skips the readings if a monitoring point of the demo was removed. */
async function measure(database: Database, people: People): Promise<void> {
  const readings = readingsNow(database.clock.now());
  await transact(database, people.warehouse, (tx) =>
    recordReadings(tx, readings, { retentionDays: 1 }),
  ).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

async function receive(database: Database, people: People, chance: Chance, serial: string): Promise<string> {
  const product = oneOf(batched, chance);
  const quantity = product.family.usualQuantity;
  const receiptNo = `SIM-R-${serial}`;
  await transact(database, people.warehouse, async (tx) => {
    const { receipt } = await syncReceipt(tx, receiptNo, {
      supplierCode: product.put.input.supplierCode,
      warehouse: oneOf(WAREHOUSES, chance).code,
      lines: [
        {
          lineNo: 1,
          productCode: product.put.productCode,
          batchNo: `S${serial}`,
          expiryDate: addDays(tx.today, 200 + Math.floor(chance() * 900)),
          quantity,
        },
      ],
    });
    await acceptReceipt(tx, receipt.receiptId, [
      { lineNo: 1, acceptedQuantity: quantity, rejectedQuantity: 0 },
    ]);
  });
  return `receipt ${receiptNo}: ${quantity} × ${product.put.input.productName}`;
}

async function order(database: Database, people: People, chance: Chance, serial: string): Promise<string> {
  const orderNo = `SIM-${serial}`;
  const product = oneOf(products, chance);
  const lines = [
    {
      lineNo: 1,
      productCode: product.put.productCode,
      quantity: 1 + Math.floor(chance() * 5),
      unitPrice: '49.00',
    },
  ];
  const content = { warehouse: oneOf(WAREHOUSES, chance).code, currency: people.words.currency, lines };
  const customerCode = oneOf(CUSTOMER_CODES, chance);
  await transact(database, people.sales, (tx) =>
    syncOrders(tx, [{ orderNo, customerCode, by: tx, sourceVersion: null, reason: null, content }]),
  );
  return `order ${orderNo} of ${customerCode}`;
}

const NEXT: Readonly<Record<string, Goal>> = {
  pending_approval: 'approved',
  approved: 'dispatched',
  partially_dispatched: 'dispatched',
  dispatched: 'delivered',
};

async function advance(database: Database, people: People, chance: Chance): Promise<string> {
  const status = oneOf(Object.keys(NEXT), chance);
  const waiting = await transact(database, people.sales, (tx) =>
    listOrders(tx, { status: [status] }, usualPage(null, 20)),
  );
  const chosen = waiting.length > 0 ? oneOf(waiting, chance) : undefined;
  if (!chosen) return `nothing ${status.replaceAll('_', ' ')}`;
  const reached = await workOrder(database, people, chosen.orderId, NEXT[status] ?? 'delivered');
  return `order ${chosen.orderNo}: ${status} → ${reached}`;
}
