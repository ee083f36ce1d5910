import { listAuditEntries } from '../../src/audit/audit.store.js';
import { listPartners } from '../../src/catalogue/partner.store.js';
import { listProducts } from '../../src/catalogue/product.store.js';
import { listWarehouses } from '../../src/catalogue/warehouse.store.js';
import {
  type CertificateFilter,
  type CertificatePage,
  listCertificates,
} from '../../src/certificates/certificate-list.store.js';
import { listRequests } from '../../src/credentials/request-log/request-log.store.js';
import { listDispatches } from '../../src/dispatching/dispatch.store.js';
import { listAlerts } from '../../src/environment/alert.store.js';
import { listPoints } from '../../src/environment/point.store.js';
import { listReadings } from '../../src/environment/reading.store.js';
import { readEvents, readPositionsOf } from '../../src/events/event.store.js';
import { listImports } from '../../src/imports/import.store.js';
import { listOrders } from '../../src/orders/order.store.js';
import { listUsers } from '../../src/people/user.store.js';
import {
  BY_UPDATE,
  type ListPage,
  type Pool,
  type Tx,
  usualPage,
} from '../../src/platform/database/index.js';
import { listDispositions } from '../../src/quality/disposition.store.js';
import { listNonconformities } from '../../src/quality/nonconformity.store.js';
import { listRecalls } from '../../src/recalls/recall.store.js';
import { listReceipts } from '../../src/receiving/receipt.store.js';
import { listSandboxes } from '../../src/sandboxes/sandbox.store.js';
import { listBatches } from '../../src/stock/batch-list.store.js';
import { listExpiring } from '../../src/stock/expiring.store.js';
import { listHolds } from '../../src/stock/hold.store.js';
import { listMovements } from '../../src/stock/movement.store.js';
import { readHoldings } from '../../src/tracing/holdings.store.js';
import { readChain, readSuppliers } from '../../src/tracing/trace.store.js';
import { listDeliveries } from '../../src/webhooks/delivery-log.store.js';
import { listWebhooks } from '../../src/webhooks/webhook.store.js';

const AT = '2026-11-15T10:00:00.000Z';
const CODE = 'SOME-1';
/** The first page, a later one, and one in the order of the last change. */
const first = usualPage(null, 1);
const later = usualPage(CODE, 1);
const changed = { limit: 1, after: [AT, CODE], sort: BY_UPDATE, updatedSince: AT };
const certificates = (tx: Tx, filter: CertificateFilter, page: ListPage): CertificatePage => ({
  orgId: tx.orgId,
  today: tx.today,
  filter,
  withCustomers: true,
  page,
});
const subject = { productCode: CODE, batchNo: null, serialNo: null, until: null };
const ofSerial = { ...subject, serialNo: CODE };
const ofBatch = { ...subject, batchNo: CODE, until: new Date(AT) };
const anyExpiry = { from: undefined, through: undefined, productCode: undefined, warehouse: undefined };
const pages = { after: 0, to: 9 };
const span = { from: 1, to: 9 };

const counted = { limit: 1, after: null, sort: null, onCount: () => {} };
const sortedBy = (by: string) => ({ limit: 1, after: [CODE, CODE], sort: { by, isDescending: true } });
const some = [CODE];
/** Keys of batches or serial numbers. */
const pairs = ['["A","B"]'];
const subjects = { eventId: CODE, customerCodes: some, entities: [{ type: CODE, ids: some }] };

/** Everything that puts its SQL together when it is called: with nothing given, and with every filter there is. */
export const composing: readonly ((tx: Tx, reader: Pool) => Promise<unknown>)[] = [
  (tx) => listAuditEntries(tx, {}, first),
  (tx) =>
    listAuditEntries(
      tx,
      { entityType: CODE, entityId: CODE, actor: CODE, action: CODE, since: AT, until: AT },
      later,
    ),
  (tx) => listAuditEntries(tx, { entities: [{ type: CODE, id: CODE }] }, later),
  (tx) => listRequests(tx, {}, null, 1),
  (tx) =>
    listRequests(
      tx,
      {
        ...{
          credentialId: CODE,
          userId: CODE,
          requestId: CODE,
          statuses: [400],
          method: ['GET'],
          path: CODE,
        },
        ...{ reason: CODE, since: AT, until: AT },
      },
      [AT, CODE],
      1,
    ),
  (tx) => listRequests(tx, { userId: null, statuses: [200] }, null, 1),
  (tx) => listPartners(tx, {}, first),
  (tx) => listPartners(tx, { name: CODE, role: ['customer'], status: ['active'] }, later),
  (tx) => listPartners(tx, { name: CODE, role: ['customer'], status: ['active'] }, changed),
  (tx) => listWarehouses(tx, {}, first),
  (tx) => listWarehouses(tx, { q: CODE }, changed),
  (tx) => listUsers(tx, {}, later),
  (tx) => listUsers(tx, { q: CODE }, changed),
  (tx, reader) => listProducts(reader, tx.orgId, {}, first),
  (tx, reader) => listProducts(reader, tx.orgId, { name: 'ab' }, later),
  (tx, reader) => listProducts(reader, tx.orgId, { name: 'ab' }, changed),
  (tx, reader) =>
    listProducts(
      reader,
      tx.orgId,
      {
        name: 'abc',
        productCode: CODE,
        productCodes: [CODE],
        category: CODE,
        manufacturer: CODE,
        riskClass: ['III'],
        status: ['active'],
      },
      later,
    ),
  (tx, reader) =>
    listProducts(
      reader,
      tx.orgId,
      {
        name: 'abc',
        productCode: CODE,
        category: CODE,
        manufacturer: CODE,
        riskClass: ['III'],
        status: ['active'],
      },
      changed,
    ),
  (tx, reader) => listCertificates(reader, certificates(tx, {}, first)),
  (tx, reader) => listCertificates(reader, certificates(tx, { status: ['expiring'] }, first)),
  (tx, reader) => listCertificates(reader, certificates(tx, {}, sortedBy('validTo'))),
  (tx, reader) => listCertificates(reader, certificates(tx, { status: ['expiring'] }, sortedBy('validTo'))),
  (tx, reader) => listCertificates(reader, certificates(tx, { status: ['valid', 'revoked'] }, first)),
  (tx, reader) => listCertificates(reader, certificates(tx, { status: ['suspended', 'revoked'] }, first)),
  (tx, reader) =>
    listCertificates(
      reader,
      certificates(
        tx,
        { certificateNo: CODE, subjectType: ['product'], subjectCode: CODE, type: CODE, status: ['valid'] },
        later,
      ),
    ),
  (tx, reader) =>
    listCertificates(
      reader,
      certificates(
        tx,
        { certificateNo: CODE, subjectType: ['product'], subjectCode: CODE, type: CODE, status: ['valid'] },
        changed,
      ),
    ),
  (tx) => listOrders(tx, { matches: { text: CODE, order: some, partner: some } }, sortedBy('orderNo')),
  (tx) => listOrders(tx, { matches: { text: CODE, order: [], partner: [] } }, counted),
  (tx) => listReceipts(tx, { matches: { text: CODE, receipt: some, partner: some } }, sortedBy('receiptNo')),
  (tx) => listReceipts(tx, {}, counted),
  (tx) => listDispatches(tx, { matches: { text: CODE, dispatch: some, partner: some } }, first),
  (tx) => listDispatches(tx, {}, counted),
  (tx, reader) =>
    listProducts(reader, tx.orgId, { matches: { text: CODE, product: some } }, sortedBy('productName')),
  (tx, reader) => listProducts(reader, tx.orgId, { name: 'abc' }, counted),
  (tx) => listPartners(tx, { matches: { text: CODE, partner: some } }, sortedBy('name')),
  (tx) => listPartners(tx, {}, counted),
  (tx) => listWarehouses(tx, {}, counted),
  (tx) => listUsers(tx, {}, counted),
  (tx, reader) =>
    listCertificates(
      reader,
      certificates(tx, { matches: { text: CODE, certificate: some, product: some, partner: some } }, first),
    ),
  (tx, reader) => listCertificates(reader, certificates(tx, { status: ['valid'] }, counted)),
  (tx) => listRecalls(tx, { q: CODE }, counted),
  (tx) => listAlerts(tx, {}, counted),
  (tx) => listPoints(tx, { q: CODE }, counted),
  (tx) => listHolds(tx, { matches: { text: CODE, product: some, batch: pairs } }, first),
  (tx) => listHolds(tx, {}, counted),
  (tx) => listWebhooks(tx, { matches: { text: CODE, webhook: some } }, counted),
  (tx) => listOrders(tx, { task: 'orders_to_approve' }, counted),
  (tx) => listOrders(tx, { task: 'orders_to_dispatch' }, first),
  (tx) => listDispatches(tx, { task: 'dispatches_to_pick' }, first),
  (tx) => listDispatches(tx, { task: 'dispatches_to_recheck' }, counted),
  (tx) => listRecalls(tx, { recallIds: some }, counted),
  (tx) => listWebhooks(tx, { task: 'webhooks_disabled' }, counted),
  (tx) => listNonconformities(tx, { task: 'nonconformities_to_decide' }, counted),
  (tx) => listDispositions(tx, { task: 'dispositions_to_approve' }, counted),
  (tx) => listDispositions(tx, { task: 'dispositions_to_execute' }, first),
  (tx) => listNonconformities(tx, {}, counted),
  (tx) =>
    listNonconformities(
      tx,
      { matches: { text: CODE, product: some, batch: pairs, receipt: some, partner: some } },
      first,
    ),
  (tx) => listDispositions(tx, {}, counted),
  (tx) =>
    listDispositions(tx, { matches: { text: CODE, product: some, batch: pairs, partner: some } }, counted),
  (tx) => listAlerts(tx, { found: { alertIds: some, pointIds: some } }, first),
  (tx) => listAuditEntries(tx, { entities: [{ type: CODE, id: CODE }] }, counted),
  (tx) => listDispatches(tx, {}, first),
  (tx) => listDispatches(tx, { orderId: CODE, status: ['picking'], customerCode: CODE }, later),
  (tx) => listDispatches(tx, { orderId: CODE, status: ['picking'], customerCode: CODE }, changed),
  (tx) => listAlerts(tx, {}, first),
  (tx) =>
    listAlerts(
      tx,
      { pointId: CODE, warehouse: CODE, metric: ['temperature'], status: ['open'], acknowledged: true },
      later,
    ),
  (tx) =>
    listAlerts(
      tx,
      { pointId: CODE, warehouse: CODE, metric: ['temperature'], status: ['open'], acknowledged: true },
      changed,
    ),
  (tx) => listAlerts(tx, { status: ['closed'] }, first),
  (tx) => listPoints(tx, {}, first),
  (tx) => listPoints(tx, { warehouse: CODE, zone: CODE, state: ['normal'] }, later),
  (tx) => listPoints(tx, { warehouse: CODE, zone: CODE, state: ['normal'] }, changed),
  (tx) => listReadings(tx, { pointId: CODE }, null, 1),
  (tx) => listReadings(tx, { pointId: CODE, from: AT, to: AT }, AT, 1),
  (tx) => readEvents(tx, { types: [CODE], customerCode: null }, span, { order: 'asc', limit: 1 }),
  (tx) => readEvents(tx, { types: [CODE], customerCode: null, subjects }, span, { order: 'desc', limit: 1 }),
  (tx) => readPositionsOf(tx, subjects, 1, 1),
  (tx) => readEvents(tx, { types: [CODE], customerCode: CODE, since: AT }, span, { order: 'desc', limit: 1 }),
  (tx) => listOrders(tx, {}, first),
  (tx) => listOrders(tx, { status: ['approved', 'delivered'] }, first),
  (tx) => listOrders(tx, { since: AT, until: AT }, first),
  (tx) => listOrders(tx, { orderNo: CODE, status: ['draft'], customerCode: CODE }, later),
  (tx) => listOrders(tx, { orderNo: CODE, status: ['draft'], customerCode: CODE }, changed),
  (tx) => listDispositions(tx, {}, first),
  (tx) =>
    listDispositions(
      tx,
      { status: ['proposed'], kind: ['destroy'], productCode: CODE, batchNo: CODE, since: AT, until: AT },
      later,
    ),
  (tx) =>
    listDispositions(
      tx,
      { status: ['proposed'], kind: ['destroy'], productCode: CODE, batchNo: CODE, since: AT, until: AT },
      changed,
    ),
  (tx) => listNonconformities(tx, {}, first),
  (tx) =>
    listNonconformities(
      tx,
      {
        status: ['open'],
        source: ['receipt'],
        productCode: CODE,
        batchNo: CODE,
        warehouse: CODE,
        since: AT,
        until: AT,
      },
      later,
    ),
  (tx) =>
    listNonconformities(
      tx,
      {
        status: ['open'],
        source: ['receipt'],
        productCode: CODE,
        batchNo: CODE,
        warehouse: CODE,
        since: AT,
        until: AT,
      },
      changed,
    ),
  (tx) => listImports(tx, {}, first),
  (tx) => listImports(tx, { kind: [CODE, CODE], status: ['done'], dryRun: true }, later),
  (tx) => listImports(tx, { kind: [CODE], status: ['done'], dryRun: true }, changed),
  (tx) => listRecalls(tx, {}, first),
  (tx) => listRecalls(tx, { recallNo: CODE, productCode: CODE, status: ['open'], shippedTo: CODE }, later),
  (tx) => listRecalls(tx, { recallNo: CODE, productCode: CODE, status: ['open'], shippedTo: CODE }, changed),
  (tx) => listReceipts(tx, {}, first),
  (tx) =>
    listReceipts(tx, { receiptNo: CODE, status: ['cancelled'], kind: ['return'], supplierCode: CODE }, later),
  (tx) =>
    listReceipts(
      tx,
      { receiptNo: CODE, status: ['cancelled'], kind: ['return'], supplierCode: CODE },
      changed,
    ),
  (tx) => listBatches(tx, {}, null, 1),
  (tx) => listBatches(tx, { productCode: CODE, batchNo: CODE }, null, 1),
  (tx) => listBatches(tx, { status: ['on_hold'] }, [CODE, CODE], 1),
  (tx) => listBatches(tx, { status: ['recalled'], expiringBefore: '2026-11-15', warehouse: CODE }, null, 1),
  (tx) => listExpiring(tx, { ...anyExpiry }, null, 1),
  (tx) =>
    listExpiring(
      tx,
      { from: '2026-11-15', through: '2026-11-15', productCode: CODE, warehouse: CODE },
      ['2026-11-15', CODE, CODE],
      1,
    ),
  (tx) => listSandboxes(tx, {}, first),
  (tx) => listSandboxes(tx, { status: ['active'] }, later),
  (tx) => listSandboxes(tx, { status: ['ended'] }, changed),
  (tx) => listHolds(tx, {}, first),
  (tx) =>
    listHolds(tx, { productCode: CODE, batchNo: CODE, status: ['active'], category: ['quality'] }, later),
  (tx) =>
    listHolds(tx, { productCode: CODE, batchNo: CODE, status: ['active'], category: ['quality'] }, changed),
  (tx) => listHolds(tx, { status: ['released'] }, first),
  (tx) => listMovements(tx, {}, null, 1),
  (tx) =>
    listMovements(
      tx,
      {
        matches: { text: CODE, product: some, batch: pairs, serial: pairs, receipt: some, dispatch: some },
      },
      null,
      1,
    ),
  (tx) =>
    listMovements(
      tx,
      {
        productCode: CODE,
        warehouse: CODE,
        batchNo: CODE,
        kind: ['receipt'],
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
  (tx) => listDeliveries(tx, CODE, { subjects }, null, 1),
  (tx) => listDeliveries(tx, CODE, { status: ['pending'] }, 1, 1),
  (tx) => listDeliveries(tx, CODE, { status: ['delivered'] }, null, 1),
  (tx) => listDeliveries(tx, CODE, { status: ['failed'], eventType: [CODE], eventId: CODE }, 1, 1),
  (tx) => listWebhooks(tx, {}, first),
  (tx) => listWebhooks(tx, { customerCode: CODE, owner: CODE }, later),
  (tx) => listWebhooks(tx, { customerCode: CODE, owner: CODE }, changed),
  (tx) => listWebhooks(tx, { owner: 'organization' }, first),
];
