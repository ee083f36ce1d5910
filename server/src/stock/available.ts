/**
 * The one definition of stock that can be sold, for SQL: `balance` and `batch` are aliases of rows of `balances` and
 * `batches`, and expiry is judged on the day `today`. `inventory.rules.ts` is its counterpart for rows already read.
 */
interface BalanceOfBatch {
  balance: string;
  batch: string;
  today: string;
}

/**
 * True if nothing of the balance can be sold: expired, or wholly on hold. Null, which is not true, without an expiry date.
 */
const isBlocked = ({ balance, batch, today }: BalanceOfBatch): string =>
  `(${balance}.whole_holds > 0 or ${batch}.expiry_date < ${today})`;

/** Neither reserved nor held, in a batch that is not blocked. */
export const availableQuantity = (of: BalanceOfBatch): string =>
  `(case when ${isBlocked(of)} then 0 else ${unreservedQuantity(of.balance)} end)`;

/** Zero where the batch is blocked: blocked stock is not reserved. */
export const reservedQuantity = (of: BalanceOfBatch): string =>
  `(case when ${isBlocked(of)} then 0 else ${of.balance}.reserved end)`;

/** Everything if the batch is blocked, otherwise what is held one by one. */
export const blockedQuantity = (of: BalanceOfBatch): string =>
  `(case when ${isBlocked(of)} then ${of.balance}.quantity else ${of.balance}.held end)`;

/** Neither reserved nor held, whether the batch is blocked or not. */
export const unreservedQuantity = (balance: string): string =>
  `(${balance}.quantity - ${balance}.reserved - ${balance}.held)`;
