/*
 * The records of the bench: table rows, requests and expected responses. Everything follows from a product's number, so
 * the load generator knows each response without querying the database.
 */
import { isDeepStrictEqual } from 'node:util';

export const ORGANIZATIONS = 4;
export const KEYS_PER_ORGANIZATION = 4;
export const WAREHOUSES = 3;
export const BATCHES = 3;

const FIRST_EXPIRY = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

/** GTINs of 14 digits, as a catalogue has them: the server checks and canonicalizes them. */
export function productCode(n) {
  const digits = `0690${String(n).padStart(9, '0')}`;
  let total = 0;
  for (let i = 0; i < digits.length; i++) total += Number(digits[i]) * (i % 2 === 0 ? 3 : 1);
  return `${digits}${(10 - (total % 10)) % 10}`;
}

const codes = [];
const codeOf = (n) => {
  // In order, because V8 makes an array that is filled at random positions slow.
  while (codes.length <= n) codes.push(productCode(codes.length));
  return codes[n];
};

export const organizationOf = (n) => n % ORGANIZATIONS;
const warehouseOf = (n) => `WH-${1 + (Math.floor(n / ORGANIZATIONS) % WAREHOUSES)}`;
const quantityOf = (n, batch) => ((n * 7 + batch * 31) % 900) + 1;
const expiryOf = (n, batch) =>
  n % 5 === 0 && batch === 1
    ? null
    : new Date(FIRST_EXPIRY + ((n + batch * 211) % 1460) * DAY_MS).toISOString().slice(0, 10);

/** The same as SQL over `n` and `batch`; `load` in tables.mjs puts it into the tables. */
export const sql = {
  warehouse: `'WH-' || (1 + (n / ${ORGANIZATIONS}) % ${WAREHOUSES})`,
  batchNo: "'LOT-' || n % 1000 || '-' || batch",
  quantity: '(n * 7 + batch * 31) % 900 + 1',
  expiry: `case when n % 5 = 0 and batch = 1 then null else date '2026-06-01' + (n + batch * 211) % 1460 end`,
};

function expectedBatch(n, batch, today) {
  const expiryDate = expiryOf(n, batch);
  const quantity = quantityOf(n, batch);
  const isExpired = expiryDate !== null && expiryDate < today;
  const reservedQuantity = isExpired ? 0 : Math.floor(quantity / 10);
  const blockedQuantity = isExpired ? quantity : 0;
  const availableQuantity = quantity - reservedQuantity - blockedQuantity;
  const batchNo = `LOT-${n % 1000}-${batch}`;
  return { batchNo, expiryDate, quantity, availableQuantity, reservedQuantity, blockedQuantity };
}

function expectedRecord(n) {
  const today = new Date().toISOString().slice(0, 10);
  const batches = Array.from({ length: BATCHES }, (_, i) => expectedBatch(n, i + 1, today));
  const sum = (name) => batches.reduce((all, batch) => all + batch[name], 0);
  return {
    productCode: codeOf(n),
    productName: `Product ${n}`,
    warehouse: warehouseOf(n),
    totalQuantity: sum('quantity'),
    availableQuantity: sum('availableQuantity'),
    reservedQuantity: sum('reservedQuantity'),
    blockedQuantity: sum('blockedQuantity'),
    batches: batches.sort(byExpiryDescending),
  };
}

/** No expiry first, then the latest, then by number. */
export function byExpiryDescending(a, b) {
  const x = a.expiryDate ?? '9999-99-99';
  const y = b.expiryDate ?? '9999-99-99';
  if (x !== y) return x < y ? 1 : -1;
  return a.batchNo < b.batchNo ? -1 : 1;
}

/** Text that every record of a product contains: enough to see that the answer is not another's. */
const markOf = (n) => `"productCode":"${codeOf(n)}"`;

/** The request for a product in its warehouse. BASE has no credentials, so the organization is passed to it. */
function requestFor({ form, organizations }, n) {
  const { orgId, keys } = organizations[organizationOf(n)];
  const query = `productCode=${codeOf(n)}&warehouse=${warehouseOf(n)}`;
  if (form === 'base') return `GET /inventory?org=${orgId}&${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const key = keys[Math.floor(Math.random() * keys.length)];
  return `GET /v2/inventory?${query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** For the load generator: a random product of the whole table every time. */
export const asking = (target) => ({
  next: () => Math.floor(Math.random() * target.products),
  request: (n) => requestFor(target, n),
  isRight(n, text, bodyAt, inFull) {
    if (!text.startsWith('HTTP/1.1 200 ') || !text.includes(markOf(n), bodyAt)) return false;
    const whole = () => ({ code: 0, message: 'success', data: expectedRecord(n) });
    return !inFull || isDeepStrictEqual(JSON.parse(text.slice(bodyAt)), whole());
  },
});
