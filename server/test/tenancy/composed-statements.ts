import { listAuditEntries } from '../../src/audit/audit.store.js';
import { listPartners } from '../../src/catalogue/partner.store.js';
import { listProducts } from '../../src/catalogue/product.store.js';
import {
  type CertificateFilter,
  type CertificatePage,
  listCertificates,
} from '../../src/certificates/certificate-list.store.js';
import { listDispatches } from '../../src/dispatching/dispatch.store.js';
import { listAlerts } from '../../src/environment/alert.store.js';
import { listPoints } from '../../src/environment/point.store.js';
import { listReadings } from '../../src/environment/reading.store.js';
import { readEvents } from '../../src/events/event.store.js';
import { listOrders } from '../../src/orders/order.store.js';
import type { Pool, Tx } from '../../src/platform/database/index.js';
import { listDispositions } from '../../src/quality/disposition.store.js';
import { listNonconformities } from '../../src/quality/nonconformity.store.js';
import { listRecalls } from '../../src/recalls/recall.store.js';
import { listReceipts } from '../../src/receiving/receipt.store.js';
import { listBatches } from '../../src/stock/batch-list.store.js';
import { listHolds } from '../../src/stock/hold.store.js';
import { listMovements } from '../../src/stock/movement.store.js';
import { readHoldings } from '../../src/tracing/holdings.store.js';
import { readChain, readSuppliers } from '../../src/tracing/trace.store.js';
import { listDeliveries } from '../../src/webhooks/delivery-log.store.js';
import { listWebhooks } from '../../src/webhooks/webhook.store.js';

const certificates = (tx: Tx, filter: CertificateFilter, after: string | null): CertificatePage => ({
  orgId: tx.orgId,
  today: tx.today,
  filter,
  withCustomers: true,
  after,
  limit: 1,
});
const AT = '2026-11-15T10:00:00.000Z';
const CODE = 'SOME-1';
const subject = { productCode: CODE, batchNo: null, serialNo: null, until: null };
const ofSerial = { ...subject, serialNo: CODE };
const ofBatch = { ...subject, batchNo: CODE, until: new Date(AT) };
const pages = { after: 0, to: 9 };

/** Everything that puts its SQL together when it is called: with nothing given, and with every filter there is. */
export const composing: readonly ((tx: Tx, reader: Pool) => Promise<unknown>)[] = [
  (tx) => listAuditEntries(tx, {}, null, 1),
  (tx) =>
    listAuditEntries(
      tx,
      { entityType: CODE, entityId: CODE, actor: CODE, action: CODE, since: AT, until: AT },
      CODE,
      1,
    ),
  (tx) => listPartners(tx, {}, null, 1),
  (tx) => listPartners(tx, { name: CODE, role: 'customer', status: 'active' }, CODE, 1),
  (tx, reader) => listProducts(reader, tx.orgId, {}, null, 1),
  (tx, reader) => listProducts(reader, tx.orgId, { name: 'ab' }, CODE, 1),
  (tx, reader) =>
    listProducts(
      reader,
      tx.orgId,
      {
        name: 'abc',
        productCode: CODE,
        category: CODE,
        manufacturer: CODE,
        riskClass: 'III',
        status: 'active',
        updatedSince: AT,
      },
      CODE,
      1,
    ),
  (tx, reader) => listCertificates(reader, certificates(tx, {}, null)),
  (tx, reader) => listCertificates(reader, certificates(tx, { status: 'expiring' }, null)),
  (tx, reader) =>
    listCertificates(
      reader,
      certificates(
        tx,
        { certificateNo: CODE, subjectType: 'product', subjectCode: CODE, type: CODE, status: 'valid' },
        CODE,
      ),
    ),
  (tx) => listDispatches(tx, {}, null, 1),
  (tx) => listDispatches(tx, { orderId: CODE, status: 'picking', customerCode: CODE }, CODE, 1),
  (tx) => listAlerts(tx, {}, null, 1),
  (tx) =>
    listAlerts(
      tx,
      { pointId: CODE, warehouse: CODE, metric: 'temperature', status: 'open', acknowledged: true },
      CODE,
      1,
    ),
  (tx) => listAlerts(tx, { status: 'closed' }, null, 1),
  (tx) => listPoints(tx, {}, null, 1),
  (tx) => listPoints(tx, { warehouse: CODE, zone: CODE, state: 'normal' }, CODE, 1),
  (tx) => listReadings(tx, { pointId: CODE }, null, 1),
  (tx) => listReadings(tx, { pointId: CODE, from: AT, to: AT }, AT, 1),
  (tx) => readEvents(tx, { types: [CODE], customerCode: null }, 0, 1, 1),
  (tx) => readEvents(tx, { types: [CODE], customerCode: CODE }, 0, 1, 1),
  (tx) => listOrders(tx, {}, null, 1),
  (tx) => listOrders(tx, { orderNo: CODE, status: 'draft', customerCode: CODE, updatedSince: AT }, CODE, 1),
  (tx) => listDispositions(tx, {}, null, 1),
  (tx) =>
    listDispositions(
      tx,
      { status: 'proposed', kind: 'destroy', productCode: CODE, batchNo: CODE, since: AT, until: AT },
      CODE,
      1,
    ),
  (tx) => listNonconformities(tx, {}, null, 1),
  (tx) =>
    listNonconformities(
      tx,
      {
        status: 'open',
        source: 'receipt',
        productCode: CODE,
        batchNo: CODE,
        warehouse: CODE,
        since: AT,
        until: AT,
      },
      CODE,
      1,
    ),
  (tx) => listRecalls(tx, {}, null, 1),
  (tx) => listRecalls(tx, { recallNo: CODE, productCode: CODE, status: 'open', shippedTo: CODE }, CODE, 1),
  (tx) => listReceipts(tx, {}, null, 1),
  (tx) =>
    listReceipts(
      tx,
      { receiptNo: CODE, status: 'cancelled', kind: 'return', supplierCode: CODE, updatedSince: AT },
      CODE,
      1,
    ),
  (tx) => listBatches(tx, {}, null, 1),
  (tx) => listBatches(tx, { productCode: CODE, batchNo: CODE }, null, 1),
  (tx) => listBatches(tx, { status: 'on_hold' }, [CODE, CODE], 1),
  (tx) => listBatches(tx, { status: 'recalled', expiringBefore: '2026-11-15', warehouse: CODE }, null, 1),
  (tx) => listHolds(tx, {}, null, 1),
  (tx) => listHolds(tx, { productCode: CODE, batchNo: CODE, status: 'active', category: 'quality' }, CODE, 1),
  (tx) => listHolds(tx, { status: 'released' }, null, 1),
  (tx) => listMovements(tx, {}, null, 1),
  (tx) =>
    listMovements(
      tx,
      {
        productCode: CODE,
        warehouse: CODE,
        batchNo: CODE,
        kind: 'receipt',
        documentId: CODE,
        since: AT,
        until: AT,
        serialNo: CODE,
      },
      CODE,
      1,
    ),
  (tx) => readHoldings(tx, subject, tx.today),
  (tx) => readHoldings(tx, ofBatch, tx.today),
  (tx) => readChain(tx, subject, pages, 1),
  (tx) => readChain(tx, ofSerial, pages, 1),
  (tx) => readChain(tx, ofBatch, pages, 1),
  (tx) => readSuppliers(tx, subject),
  (tx) => readSuppliers(tx, ofBatch),
  (tx) => listDeliveries(tx, CODE, {}, null, 1),
  (tx) => listDeliveries(tx, CODE, { status: 'failed', eventType: CODE, eventId: CODE }, 1, 1),
  (tx) => listWebhooks(tx, {}, null, 1),
  (tx) => listWebhooks(tx, { customerCode: CODE, owner: CODE }, CODE, 1),
  (tx) => listWebhooks(tx, { owner: 'organization' }, null, 1),
];
