import { statement, type Tx } from '../platform/database/index.js';
import { blockedQuantity, reservedQuantity } from './available.js';

export interface StockOverview {
  total: number;
  available: number;
  reserved: number;
  blocked: number;
  /** Products with stock. */
  products: number;
  /** Batches in stock by the month of their expiry, from the current month on. */
  nearExpiry: { month: string; batches: number; quantity: number }[];
}

const MONTHS = 12;

const balance = { balance: 'b', batch: 't', today: '$2::date' };
// Grouped by product first: `count(distinct …)` over all rows would sort them all.
const sums = statement(`
  select coalesce(sum(total), 0)::bigint as total, count(*) as products, coalesce(sum(reserved), 0)::bigint as reserved,
    coalesce(sum(blocked), 0)::bigint as blocked
  from (
    select sum(b.quantity) as total,
      sum(${reservedQuantity(balance)}) as reserved, sum(${blockedQuantity(balance)}) as blocked
    from balances b
    join batches t on t.org_id = $1 and t.product_code = b.product_code and t.batch_no = b.batch_no
    where b.org_id = $1 and b.quantity > 0 group by b.product_code) p`);
const byMonth = statement(`
  select to_char(x.expiry_date, 'YYYY-MM') as month, count(*) as batches, sum(x.quantity)::bigint as quantity
  from (
    select t.expiry_date, sum(b.quantity) as quantity from batches t
    join balances b on b.org_id = $1 and b.product_code = t.product_code and b.batch_no = t.batch_no and b.quantity > 0
    where t.org_id = $1 and t.expiry_date >= $2::date
      and t.expiry_date < date_trunc('month', $2::date) + make_interval(months => ${MONTHS})
    group by t.product_code, t.batch_no, t.expiry_date) x
  group by 1`);

/** Totals of the whole organization; total = available + reserved + blocked. */
export async function readStockOverview(tx: Tx): Promise<StockOverview> {
  const [row] = await tx.query<Omit<StockOverview, 'available' | 'nearExpiry'>>(sums, [tx.orgId, tx.today]);
  const { total, reserved, blocked, products } = row ?? { total: 0, reserved: 0, blocked: 0, products: 0 };
  const expiring = await tx.query<StockOverview['nearExpiry'][number]>(byMonth, [tx.orgId, tx.today]);
  return {
    total,
    available: total - reserved - blocked,
    reserved,
    blocked,
    products,
    nearExpiry: monthsFrom(tx.today).map(
      (month) => expiring.find((each) => each.month === month) ?? { month, batches: 0, quantity: 0 },
    ),
  };
}

function monthsFrom(day: string): string[] {
  const first = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  return Array.from({ length: MONTHS }, (_, i) => {
    const month = first + i;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}
