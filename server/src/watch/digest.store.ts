import { partnerRows, productRows } from '../catalogue/index.js';
import { certificateRows } from '../certificates/index.js';
import { alertRows } from '../environment/index.js';
import { nearExpiryNoticeRows } from '../notifications/index.js';
import { userRows } from '../people/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import { balanceRows, batchRows } from '../stock/index.js';
import type { DigestContent, Listed } from './digest-content.js';

const readers = statement(`
  select u.email from ${userRows('$1')} u where u.role = 'admin' and u.status = 'active' and u.daily_digest order by u.email`);

/** Administrators who opted in. */
export async function readDigestReaders(tx: Tx): Promise<string[]> {
  return (await tx.query<{ email: string }>(readers, [tx.orgId])).map((row) => row.email);
}

const certificates = statement(`
  select c.certificate_no as "certificateNo", c.type, c.valid_to as "validTo", c.valid_to - $2::date as "daysRemaining",
    coalesce((select p.product_name from ${productRows('$1')} p where p.product_code = c.product_code),
      (select q.name from ${partnerRows('$1')} q where q.code = c.partner_code)) as subject,
    (count(*) over ())::integer as total
  from ${certificateRows('$1')} c
  where c.state = 'active' and c.valid_to between $2::date - 30 and $2::date + 30
  order by c.valid_to, c.certificate_id limit $3`);
const batches = statement(`
  select n.product_code as "productCode", p.product_name as "productName", n.batch_no as "batchNo",
    b.expiry_date as "expiryDate", b.expiry_date - $2::date as "daysRemaining",
    sum(s.quantity)::integer as quantity, (count(*) over ())::integer as total
  from ${nearExpiryNoticeRows('$1')} n
  join ${batchRows('$1')} b on b.product_code = n.product_code and b.batch_no = n.batch_no
  join ${productRows('$1')} p on p.product_code = n.product_code
  join ${balanceRows('$1')} s on s.product_code = n.product_code and s.batch_no = n.batch_no and s.quantity > 0
  where n.left_on is null
  group by n.product_code, p.product_name, n.batch_no, b.expiry_date
  order by b.expiry_date, n.product_code, n.batch_no limit $3`);
const alerts = statement(`
  select point_name as "pointName", warehouse, metric, last_value as "lastValue", lower_limit as "lowerLimit",
    upper_limit as "upperLimit", started_at as "startedAt", acknowledged_at is not null as acknowledged,
    (count(*) over ())::integer as total
  from ${alertRows('$1')} a where closed_at is null order by started_at, alert_id limit $2`);

/** The content of the daily mail, most urgent first. */
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
