import type { EventType } from '../events/index.js';

const DAY_MS = 86_400_000;
const dateIn = (at: Date, days: number): string =>
  new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10);

const product = { productCode: '06901234567892', productName: 'Coronary stent 3.0×18' };

const recall = (answered: boolean, status: 'open' | 'closed') => ({
  recallId: 'rcl_sample',
  recallNo: 'SAMPLE-1',
  ...product,
  extent: 'batches',
  batchNos: ['SAMPLE-LOT'],
  serials: [],
  class: 'II',
  reason: 'seal may be open',
  status,
  customerCode: answered && status === 'open' ? 'SAMPLE-CUSTOMER' : null,
  consignees: 1,
  acknowledged: answered ? 1 : 0,
  answered: answered ? 1 : 0,
  quantities: answered
    ? { delivered: 10, onHand: 0, used: 4, returned: 6, destroyed: 0, notFound: 0, notAnswered: 0 }
    : { delivered: 10, onHand: 0, used: 0, returned: 0, destroyed: 0, notFound: 0, notAnswered: 10 },
});

/** Sample payloads in the shape of a real event of each type. */
const samples: Readonly<Record<EventType, (at: Date) => object>> = {
  'order.status_changed': (at) => ({
    orderId: 'ord_sample',
    orderNo: 'SAMPLE-1',
    customerCode: 'SAMPLE-CUSTOMER',
    previousStatus: 'pending_approval',
    currentStatus: 'approved',
    changedBy: 'approver@example.com',
    changedAt: at.toISOString(),
  }),
  'inventory.inbound_completed': (at) => ({
    receiptId: 'rcp_sample',
    receiptNo: 'SAMPLE-1',
    supplierCode: 'SAMPLE-SUPPLIER',
    warehouse: 'WH-1',
    acceptedBy: 'warehouse@example.com',
    acceptedAt: at.toISOString(),
    lines: [
      {
        ...product,
        batchNo: 'SAMPLE-LOT',
        manufactureDate: dateIn(at, -30),
        expiryDate: dateIn(at, 700),
        acceptedQuantity: 98,
        rejectedQuantity: 2,
      },
    ],
  }),
  'inventory.outbound_completed': (at) => ({
    dispatchId: 'dsp_sample',
    orderId: 'ord_sample',
    orderNo: 'SAMPLE-1',
    customerCode: 'SAMPLE-CUSTOMER',
    warehouse: 'WH-1',
    recheckedBy: 'quality@example.com',
    recheckedAt: at.toISOString(),
    lines: [{ ...product, batchNo: 'SAMPLE-LOT', expiryDate: dateIn(at, 700), quantity: 10, serials: [] }],
  }),
  'inventory.low_stock': () => ({
    ...product,
    availableQuantity: 4,
    safetyStock: 10,
    byWarehouse: [{ warehouse: 'WH-1', availableQuantity: 4 }],
  }),
  'expiry.warning': (at) => ({
    ...product,
    batchNo: 'SAMPLE-LOT',
    expiryDate: dateIn(at, 180),
    daysRemaining: 180,
    quantity: 12,
    byWarehouse: [{ warehouse: 'WH-1', quantity: 12 }],
  }),
  'certificate.expiring': (at) => ({
    certificateId: 'crt_sample',
    certificateNo: 'SAMPLE-1',
    type: 'registration',
    subjectType: 'product',
    subjectCode: product.productCode,
    subjectName: product.productName,
    validTo: dateIn(at, 30),
    daysRemaining: 30,
    threshold: 30,
    missedThresholds: [],
  }),
  'environment.alert': (at) => ({
    pointId: 'SAMPLE-POINT',
    pointName: 'Cold room',
    warehouse: 'WH-1',
    zone: 'COLD',
    metric: 'temperature',
    value: 9.1,
    unit: '°C',
    lowerLimit: 2,
    upperLimit: 8,
    observedAt: at.toISOString(),
    startedAt: at.toISOString(),
    repeat: 0,
  }),
  'inventory.changed': (at) => ({
    productCode: product.productCode,
    warehouse: 'WH-1',
    totalQuantity: 12,
    availableQuantity: 9,
    reservedQuantity: 2,
    blockedQuantity: 1,
    changedAt: at.toISOString(),
  }),
  'recall.opened': () => recall(false, 'open'),
  'recall.updated': () => recall(true, 'open'),
  'recall.closed': () => recall(true, 'closed'),
};

export const sampleOf = (eventType: EventType, at: Date): object => samples[eventType](at);
