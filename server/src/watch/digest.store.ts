import { statement, type Tx } from '../platform/database/index.js';
import type { DigestContent, Listed } from './digest-content.js';

const readers = statement(`
  select email from users where org_id = $1 and role = 'admin' and status = 'active' and daily_digest order by email`);

/** Administrators who asked for it. */
export async function readDigestReaders(tx: Tx): Promise<string[]> {
  return (await tx.query<{ email: string }>(readers, [tx.orgId])).map((row) => row.email);
}

const certificates = statement(`
  select c.certificate_no as "certificateNo", c.type, c.valid_to as "validTo", c.valid_to - $2::date as "daysRemaining",
    coalesce((select p.product_name from products p where p.org_id = c.org_id and p.product_code = c.product_code),
      (select q.name from partners q where q.org_id = c.org_id and q.code = c.partner_code)) as subject,
    (count(*) over ())::integer as total
  from certificates c
  where c.org_id = $1 and c.state = 'active' and c.valid_to between $2::date - 30 and $2::date + 30
  order by c.valid_to, c.certificate_id limit $3`);
const batches = statement(`
  select n.product_code as "productCode", p.product_name as "productName", n.batch_no as "batchNo",
    b.expiry_date as "expiryDate", b.expiry_date - $2::date as "daysRemaining",
    sum(s.quantity)::integer as quantity, (count(*) over ())::integer as total
  from near_expiry_notices n
  join batches b on b.org_id = n.org_id and b.product_code = n.product_code and b.batch_no = n.batch_no
  join products p on p.org_id = n.org_id and p.product_code = n.product_code
  join balances s on s.org_id = n.org_id and s.product_code = n.product_code and s.batch_no = n.batch_no and s.quantity > 0
  where n.org_id = $1 and n.left_on is null
  group by n.product_code, p.product_name, n.batch_no, b.expiry_date
  order by b.expiry_date, n.product_code, n.batch_no limit $3`);
const alerts = statement(`
  select point_name as "pointName", warehouse, metric, last_value as "lastValue", lower_limit as "lowerLimit",
    upper_limit as "upperLimit", started_at as "startedAt", acknowledged_at is not null as acknowledged,
    (count(*) over ())::integer as total
  from environment_alerts where org_id = $1 and closed_at is null order by started_at, alert_id limit $2`);

/** What somebody should know in the morning, the most urgent first. */
export async function readDigest(tx: Tx, itemsMax: number): Promise<DigestContent> {
  const listed = <T>(rows: (T & { total: number })[]): Listed<T> => ({
    items: rows,
    total: rows[0]?.total ?? 0,
  });
  return {
    certificates: listed(await tx.query(certificates, [tx.orgId, tx.today, itemsMax])),
    batches: listed(await tx.query(batches, [tx.orgId, tx.today, itemsMax])),
    alerts: listed(await tx.query(alerts, [tx.orgId, itemsMax])),
  };
}
