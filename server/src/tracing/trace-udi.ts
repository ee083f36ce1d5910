import { readUdi, type Udi } from '@lotward/udi';
import { refuseCode, refuseWithoutDevice } from '../catalogue/index.js';
import { type Coverage, coversProduct } from '../certificates/index.js';
import { dayIn } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { storedNumber } from '../scanning/index.js';
import { certificatesThen, isHandOver, type RecordedCertificate } from './certificates-then.rules.js';
import { type CountedHoldings, readHoldings, readPlaceFacts, readUnitMovements } from './holdings.store.js';
import { holdersFor, itemFor } from './redaction.rules.js';
import type {
  ChainItem,
  Holder,
  ReceivedPackage,
  Subject,
  TracedProduct,
  TracedRecall,
  TraceStatus,
} from './trace.js';
import { holdersOf, locateUnit, statusOf, toChainItem } from './trace.rules.js';
import {
  findBatchOfSerial,
  findProduct,
  isBatchKnown,
  readCertificates,
  readChain,
  readPackageScans,
  readRecalls,
  readSuppliers,
} from './trace.store.js';

export interface TraceRequest {
  code: string;
  /** If set, the trace as it was known at this instant. */
  until: Date | null;
  /** The ledger position after which the page begins. */
  after: number;
  limit: number;
  /** If set, data of other customers is left out. */
  customerCode: string | null;
  timeZone: string;
  /** Includes the packages scanned at receipt. */
  withPackages: boolean;
}

export interface Trace {
  udi: Udi;
  product: TracedProduct;
  status: TraceStatus;
  holders: Holder[];
  /** Contains one item more than the page if another page follows. */
  chain: ChainItem[];
  certificates: RecordedCertificate[];
  recalls: TracedRecall[];
  packages: ReceivedPackage[];
  /** The day on which expiry and validity are evaluated. */
  day: string;
}

/** Parses a code; throws with the reason if it is invalid. */
export function readCode(code: string, today: string): Udi {
  const reading = readUdi(code, { today });
  if (!reading.ok) throw refuseCode(reading.failure, 'code');
  return reading.udi;
}

/** Follows a device, batch or serialized unit through the ledger, from its suppliers to its holders. */
export async function traceUdi(tx: Tx, request: TraceRequest): Promise<Trace> {
  const { until, customerCode, timeZone } = request;
  const udi = readCode(request.code, tx.today);
  const { product, subject } = await findSubject(tx, udi, until);
  const day = until === null ? tx.today : dayIn(timeZone, until);
  const { head, ...holdings } = await holdingsOf(tx, subject, day);
  const rows = await readChain(tx, subject, { after: request.after, to: head }, request.limit + 1);
  const chain = rows.map((row) => toChainItem(row, subject.serialNo));
  const recalls = await readRecalls(tx, subject);
  const certificates = await certificatesFor(tx, subject, chain, customerCode);
  const { productCode, traits } = product;
  const covers = (coverage: Coverage | null) => coversProduct(coverage, traits);
  const known = chain.map((item) => ({
    ...item,
    ...certificatesThen(item, productCode, certificates, dayIn(timeZone, item.at), covers),
  }));
  const holders = holdersOf(holdings);
  return {
    udi,
    product,
    day,
    status: statusOf(holdings, recalls, request.after > 0 || rows.length > 0),
    holders: customerCode === null ? holders : holdersFor(holders, customerCode),
    chain: customerCode === null ? known : known.map((item) => itemFor(item, customerCode)),
    certificates: certificates.filter(({ subjectType }) => subjectType !== 'customer'),
    recalls,
    packages: request.withPackages && customerCode === null ? await packagesOf(tx, subject, chain) : [],
  };
}

const PACKAGES_MAX = 1_000;

/** Only packages with their own serial number: without one, a code does not identify a single package. */
async function packagesOf(tx: Tx, subject: Subject, chain: readonly ChainItem[]): Promise<ReceivedPackage[]> {
  // Receipts do not record which package a serialized unit came in.
  if (subject.serialNo !== null) return [];
  const receipts = chain.flatMap(({ step, document }) =>
    step === 'received' && document ? document.id : [],
  );
  const scans = await readPackageScans(tx, subject.productCode, receipts, PACKAGES_MAX);
  return scans.flatMap(({ code, ...scan }) => {
    const reading = readUdi(code, { today: tx.today });
    if (!reading.ok) return [];
    const { deviceIdentifier, serialNo } = reading.udi;
    return deviceIdentifier === null || serialNo === null ? [] : [{ ...scan, deviceIdentifier, serialNo }];
  });
}

async function findSubject(
  tx: Tx,
  udi: Udi,
  until: Date | null,
): Promise<{ product: TracedProduct; subject: Subject }> {
  if (udi.deviceIdentifier === null) throw refuseWithoutDevice('code');
  const product = await findProduct(tx, udi.deviceIdentifier);
  if (!product) throw missing('product', 'code');
  const { productCode } = product;
  const batchNo = storedNumber(udi.batchNo);
  const serialNo = storedNumber(udi.serialNo);
  if (serialNo !== null) {
    const own = await findBatchOfSerial(tx, productCode, serialNo);
    if (own === null || (batchNo !== null && batchNo !== own)) throw missing('serial number', 'code');
    return { product, subject: { productCode, batchNo: own, serialNo, until } };
  }
  if (batchNo !== null && !(await isBatchKnown(tx, productCode, batchNo))) throw missing('batch', 'code');
  return { product, subject: { productCode, batchNo, serialNo, until } };
}

async function holdingsOf(tx: Tx, subject: Subject, day: string): Promise<CountedHoldings> {
  if (subject.serialNo === null) return readHoldings(tx, subject, day);
  const { head, movements } = await readUnitMovements(tx, subject);
  const unit = locateUnit(movements);
  const facts = await readPlaceFacts(tx, subject, unit, day);
  const held = unit.held || facts.batchHeld;
  return {
    head,
    warehouses:
      unit.warehouse === null
        ? []
        : [
            {
              code: unit.warehouse,
              name: facts.warehouseName ?? unit.warehouse,
              quantity: 1,
              expired: facts.expired && !held ? 1 : 0,
              held: held ? 1 : 0,
            },
          ],
    customers:
      unit.customerCode === null
        ? []
        : [
            {
              code: unit.customerCode,
              name: facts.customerName ?? unit.customerCode,
              quantity: 1,
              undelivered: unit.delivered ? 0 : 1,
            },
          ],
  };
}

/** Certificates of the product, all suppliers and the customers on the page; a bound credential sees only its own customer's. */
async function certificatesFor(
  tx: Tx,
  subject: Subject,
  chain: readonly ChainItem[],
  customerCode: string | null,
): Promise<RecordedCertificate[]> {
  const subjects = [{ type: 'product', code: subject.productCode }];
  if (customerCode === null) {
    const customers = new Set(chain.flatMap(({ to }) => (to?.kind === 'customer' ? (to.code ?? []) : [])));
    subjects.push(...[...customers].map((code) => ({ type: 'customer', code })));
    for (const code of await readSuppliers(tx, subject)) subjects.push({ type: 'supplier', code });
  } else subjects.push({ type: 'customer', code: customerCode });
  const first = Math.min(tx.now.getTime(), ...chain.filter(isHandOver).map(({ at }) => at.getTime()));
  return readCertificates(tx, subjects, new Date(first));
}
