/*
 * The orders of the bench: requests and expected responses. Everything follows from an order's number and its series
 * (one per comparison), so the load generator knows each response without querying the database.
 */
import { isDeepStrictEqual } from 'node:util';
import { productCode } from '../inventory/records.mjs';

export const LINES = 5;
export const PRODUCTS = 500;
export const CUSTOMERS = 20;
export const WAREHOUSE = 'WH-1';
export const HOT_BATCHES = 12;

/** The hot product of a comparison, beyond the products of the other orders. */
export const hotProductOf = (series) => productCode(PRODUCTS + series);
export const customerName = (code) => `Customer ${code}`;
export const orderNoOf = (series, n) => `PO-${series}-${n}`;

/** An order that waits for approval. In SQL too, because tens of thousands are prepared. */
const approvalIdOf = (series, n) => `ord_hot${series}_${String(n).padStart(8, '0')}`;
const approvalQuantityOf = (n) => 1 + (n % 3);
export const sql = {
  approvalId: "'ord_hot' || $2::int || '_' || lpad(n::text, 8, '0')",
  approvalQuantity: '1 + n % 3',
};

const codes = Array.from({ length: PRODUCTS }, (_, n) => productCode(n));

function bodyOf(series, n) {
  const lines = [];
  for (let i = 0; i < LINES; i++) {
    // Coprime to the number of products: no product twice in an order.
    const product = (n * 7 + i * 101) % PRODUCTS;
    const price = `${1 + product}.50`;
    lines.push({ lineNo: i + 1, productCode: codes[product], quantity: 1 + (n % 9), unitPrice: price });
  }
  const customerCode = `C-${n % CUSTOMERS}`;
  return { orderNo: orderNoOf(series, n), customerCode, warehouse: WAREHOUSE, currency: 'EUR', lines };
}

function totalOf({ lines }) {
  const cents = lines.reduce((sum, line) => sum + line.quantity * Math.round(line.unitPrice * 100), 0);
  return (cents / 100).toFixed(2);
}

/** The part of the server's response that depends neither on the time nor on the caller. */
function expectedOrder(series, n) {
  const body = bodyOf(series, n);
  const line = {
    specification: null,
    model: null,
    manufacturer: null,
    registrationNo: null,
    unit: null,
    batchNo: null,
    minRemainingShelfLifeDays: null,
    reserved: [],
    dispatchedQuantity: 0,
    deliveredQuantity: 0,
    closedQuantity: 0,
  };
  return {
    ...body,
    customerName: customerName(body.customerCode),
    status: 'pending_approval',
    onHold: false,
    shortage: false,
    requestedDate: null,
    lines: body.lines.map((own) => ({ ...own, productName: `Product ${own.productCode}`, ...line })),
    totalAmount: totalOf(body),
    remark: null,
    sourceVersion: null,
    warnings: [],
    version: 1,
    result: 'created',
  };
}

function isSynced({ form, series }, n, data) {
  const { orderId, createdAt, createdBy, updatedAt, statusHistory, ...rest } = data;
  if (!orderId?.startsWith('ord_')) return false;
  if (form === 'base') {
    const expected = { status: 'pending_approval', version: 1 };
    return isDeepStrictEqual(rest, { ...bodyOf(series, n), ...expected });
  }
  const [change] = statusHistory;
  const isNew = statusHistory.length === 1 && change.currentStatus === 'pending_approval';
  const isSigned = createdAt === updatedAt && change.changedBy === createdBy;
  return isNew && isSigned && isDeepStrictEqual(rest, expectedOrder(series, n));
}

function isApproved({ form, series }, n, data) {
  const reserved = form === 'base' ? data.reserved : data.lines[0].reserved;
  const total = reserved.reduce((sum, each) => sum + each.quantity, 0);
  const isMoved = form === 'base' || (data.version === 2 && data.statusHistory.length === 2);
  return isMoved && data.orderId === approvalIdOf(series, n) && total === approvalQuantityOf(n);
}

/** A POST to one of the two servers. BASE has no credentials, so the organization is passed to it. */
function post({ form, organizations }, n, path, body) {
  const { orgId, keys } = organizations[n % organizations.length];
  const first =
    form === 'base'
      ? `POST ${path}?org=${orgId} HTTP/1.1\r\n`
      : `POST /v2${path} HTTP/1.1\r\nAuthorization: Bearer ${keys[Math.floor(Math.random() * keys.length)]}\r\n`;
  return `${first}Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const kinds = {
  sync: {
    request: (target, n) => post(target, n, '/orders', JSON.stringify(bodyOf(target.series, n))),
    mark: ({ series }, n) => `"orderNo":"${orderNoOf(series, n)}"`,
    status: '"status":"pending_approval"',
    isRight: isSynced,
  },
  approve: {
    request: (target, n) => post(target, n, `/orders/${approvalIdOf(target.series, n)}/approve`, '{}'),
    mark: ({ series }, n) => `"orderId":"${approvalIdOf(series, n)}"`,
    status: '"status":"approved"',
    isRight: isApproved,
  },
};

/** For the load generator: every order once, continuing where the last round ended. */
export function asking(target) {
  const kind = kinds[target.kind];
  let following = target.answered ?? 0;
  return {
    next() {
      if (target.kind === 'approve' && following >= target.prepared)
        throw new Error('the prepared orders are used up');
      return following++;
    },
    request: (n) => kind.request(target, n),
    isRight(n, text, bodyAt, inFull) {
      if (!text.startsWith('HTTP/1.1 200 ')) return false;
      if (!text.includes(kind.mark(target, n), bodyAt) || !text.includes(kind.status, bodyAt)) return false;
      if (!inFull) return true;
      const { code, data } = JSON.parse(text.slice(bodyAt));
      return code === 0 && kind.isRight(target, n, data);
    },
  };
}
