/*
 * The goods of the bench: each batch and each serialized unit has the same five steps behind it. What must be answered follows
 * from the number of the code.
 */
import { productCode } from '../inventory/records.mjs';

export const CODES_PER_PRODUCT = 10;
export const STEPS = ['received', 'held', 'released', 'dispatched', 'delivered'];
/** Movements of one product. */
export const ROWS_PER_PRODUCT = CODES_PER_PRODUCT * STEPS.length;
export const QUANTITY = 12;

/** Every other product is tracked by serial number. */
export const isNumbered = (product) => product % 2 === 1;

function requestFor({ organizations }, n) {
  const product = Math.floor(n / CODES_PER_PRODUCT);
  const own = n % CODES_PER_PRODUCT;
  const { keys } = organizations[product % organizations.length];
  const key = keys[Math.floor(Math.random() * keys.length)];
  const rest = isNumbered(product) ? `(21)S-${own}` : `(10)B-${own}`;
  const target = `/v2/udi/(01)${productCode(product)}${rest}`;
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

function isWhole(n, { status, holders, chain }) {
  const quantity = isNumbered(Math.floor(n / CODES_PER_PRODUCT)) ? 1 : QUANTITY;
  return (
    status === 'delivered' &&
    holders.length === 1 &&
    holders[0].quantity === quantity &&
    chain.nextCursor === null &&
    chain.items.map((item) => item.step).join() === STEPS.join() &&
    chain.items.every((item) => item.quantity === quantity)
  );
}

/** For the load generator: a random code of the whole ledger every time. */
export const asking = (target) => ({
  next: () => Math.floor(Math.random() * target.codes),
  request: (n) => requestFor(target, n),
  isRight(n, text, bodyAt, inFull) {
    const mark = `"productCode":"${productCode(Math.floor(n / CODES_PER_PRODUCT))}"`;
    if (!text.startsWith('HTTP/1.1 200 ') || !text.includes(mark, bodyAt)) return false;
    return !inFull || isWhole(n, JSON.parse(text.slice(bodyAt)).data);
  },
});
