/*
 * An organization after years of work, as SQL: everything a list shows, in the proportions of a distributor. Ids grow with time, as those
 * of the service do. $1 is the organization.
 */

const DAY_SECONDS = 86_400;

/** How many of each there are; everything else follows from the number of batches and orders. */
export const sizesFor = ({ listedBatches: batches, listedOrders: orders }) => ({
  batches,
  orders,
  products: Math.ceil(batches / BATCHES_EACH),
  partners: Math.ceil(orders / 150),
  receipts: Math.ceil(batches / 10),
  holds: Math.ceil(batches / 10),
  alerts: Math.ceil(orders / 10),
  nonconformities: Math.ceil(orders / 10),
  dispositions: Math.ceil(orders / 20),
  certificates: Math.ceil(orders / 10),
  events: batches,
  audited: batches,
});

const BATCHES_EACH = 50;
const WAREHOUSES = 4;
const POINTS = 20;
const RECALLS = 100;
/** The last orders are under way, all others delivered. */
const OPEN_ORDERS = 2_000;

const padded = (n, width) => `lpad((${n})::text, ${width}, '0')`;
const productCode = (p) => `'P-' || ${padded(p, 6)}`;
const batchNo = (n) => `'B-' || ${padded(n, 8)}`;
/** The nth batch is one of the (n mod products)th product: neighbours in time are far apart in the catalogue. */
const productOf = (n, { products }) => productCode(`(${n}) % ${products}`);
const warehouse = (n) => `'WH-' || (1 + (${n}) % ${WAREHOUSES})`;
const customer = (n, { partners }) => `'C-' || ${padded(`(${n}) % ${partners}`, 5)}`;
const orderNo = (n) => `'SO-2026-' || ${padded(n, 7)}`;
/** `count` things over the last two years, the last one a minute ago. */
const moment = (n, count) =>
  `now() - interval '1 minute' - ((${count} - (${n})) * ${(2 * 365 * DAY_SECONDS).toFixed(0)}.0 / ${count}) * interval '1 second'`;
const series = (count) => `generate_series(1, ${count}) n`;

export const batchNumber = (n) => `B-${String(n).padStart(8, '0')}`;
export const orderNumber = (n) => `SO-2026-${String(n).padStart(7, '0')}`;

/** The tables are filled in this order. */
export const fillings = (sizes) => [
  ...catalogue(sizes),
  ...stock(sizes),
  ...orders(sizes),
  ...receipts(sizes),
  ...quality(sizes),
  ...watched(sizes),
  ...logs(sizes),
];

const catalogue = ({ products, partners, certificates }) => [
  `insert into warehouses (org_id, code, name, created_at, updated_at)
   select $1, 'WH-' || n, 'Warehouse ' || n, now(), now() from ${series(WAREHOUSES)}`,
  `insert into partners (org_id, code, name, roles, status, created_at, updated_at)
   select $1, 'C-' || ${padded('n', 5)}, 'Hospital of district ' || n, '{customer,supplier}', 'active', ${moment('n', partners)}, now()
   from generate_series(0, ${partners - 1}) n`,
  `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock, near_expiry_days,
     status, created_at, updated_at)
   select $1, ${productCode('n')}, 'prd_' || ${padded('n', 9)}, (array['Catheter','Stent','Needle','Suture','Glove'])[1 + n % 5] || ' ' || n,
     true, false, 'batch', 0, 90, 'active', ${moment('n', products)}, now()
   from generate_series(0, ${products - 1}) n`,
  `insert into certificates (org_id, certificate_id, certificate_no, type, subject_type, subject_code, issuer, valid_from, valid_to,
     state, version, created_at, created_by, updated_at)
   select $1, 'crt_' || ${padded('n', 9)}, 'REG-' || ${padded('n', 8)}, 'registration', 'product', ${productOf('n', { products })},
     'Authority', current_date - 500, current_date + n % 1500 - 100, 'active', 1, now(), 'bench', now()
   from ${series(certificates)}`,
  `insert into recalls (org_id, recall_id, recall_no, product_code, extent, class, reason, status, opened_at, opened_by, closed_at,
     version, opened_position, last_event_at)
   select $1, 'rcl_' || ${padded('n', 9)}, 'R-' || n, ${productOf('n', { products })}, 'product', 'II', 'Bench', 'closed',
     ${moment('n', RECALLS)}, 'bench', now(), 2, 0, now() from ${series(RECALLS)}`,
];

const stock = (sizes) => {
  const { batches, holds } = sizes;
  return [
    `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
     select $1, ${productOf('n', sizes)}, ${batchNo('n')}, current_date - 30 + n % 1400, ${moment('n', batches)} from ${series(batches)}`,
    `insert into balances (org_id, product_code, warehouse, batch_no, quantity)
     select $1, ${productOf('n', sizes)}, ${warehouse('n')}, ${batchNo('n')}, 5 + n % 40 from ${series(batches)}`,
    `insert into stock_tallies (org_id, expiry_date, total, reserved, held, batches, products)
     select $1, current_date - 30 + n % 1400, sum(5 + n % 40), 0, 0, count(*), 0 from ${series(batches)} group by 2`,
    `insert into movements (org_id, movement_id, kind, product_code, warehouse, batch_no, quantity, quantity_delta, document_type,
       document_id, document_no, document_line, occurred_at, recorded_at, actor, credential_id, position)
     select $1, 'mov_' || ${padded('n', 9)}, 'receipt', ${productOf('n', sizes)}, ${warehouse('n')}, ${batchNo('n')}, 5 + n % 40, 5 + n % 40,
       'receipt', 'rcp_' || ${padded('n / 10', 9)}, 'RC-' || n / 10, 1, ${moment('n', batches)}, ${moment('n', batches)}, 'bench', 'bench', n
     from ${series(batches)}`,
    `insert into holds (org_id, hold_id, product_code, batch_no, warehouse, extent, quantity, source, category, reason, created_at,
       created_by, released_at, released_by, release_reason, updated_at)
     select $1, 'hld_' || ${padded('n', 9)}, ${productOf('n * 7', sizes)}, ${batchNo('n * 7')}, ${warehouse('n * 7')}, 'quantity', 1, 'manual',
       'quality', 'Bench', ${moment('n', holds)}, 'bench', now(), 'bench', 'Bench', ${moment('n', holds)}
     from ${series(holds)}`,
  ];
};

const statusOf = ({ orders }) =>
  `case when n <= ${orders - OPEN_ORDERS} then 'delivered' else (array['pending_approval','approved','dispatched','delivered'])[1 + n % 4] end`;

const orders = (sizes) => {
  const count = sizes.orders;
  const id = `'ord_' || ${padded('n', 9)}`;
  const sent = `${statusOf(sizes)} in ('dispatched', 'delivered')`;
  return [
    `insert into orders (org_id, order_id, order_no, customer_code, warehouse, status, on_hold, currency, version, created_at, created_by,
       updated_at, customer_name)
     select $1, ${id}, ${orderNo('n')}, ${customer('n', sizes)}, ${warehouse('n')}, ${statusOf(sizes)}, false, 'EUR', 3, ${moment('n', count)},
       'bench', ${moment('n', count)}, 'Hospital of district ' || n % ${sizes.partners} from ${series(count)}`,
    `insert into order_lines (org_id, order_id, line_no, product_code, quantity, unit_price, dispatched_quantity, delivered_quantity)
     select $1, ${id}, l, ${productOf('n * 3 + l', sizes)}, 2, 12.5, 2, 2 from ${series(count)}, generate_series(1, 3) l`,
    `insert into order_status_changes (org_id, order_id, version, step, previous_status, current_status, changed_by, changed_at)
     select $1, ${id}, v, 0, null, (array['pending_approval','approved','delivered'])[v], 'bench', ${moment('n', count)}
     from ${series(count)}, generate_series(1, 3) v`,
    `insert into dispatches (org_id, dispatch_id, order_id, status, tracking_no, version, created_at, created_by, updated_at, customer_name)
     select $1, 'dsp_' || ${padded('n', 9)}, ${id}, ${statusOf(sizes)}, 'TR' || ${padded('n', 9)}, 3, ${moment('n', count)}, 'bench',
       ${moment('n', count)}, 'Hospital of district ' || n % ${sizes.partners} from ${series(count)} where ${sent}`,
    `insert into dispatch_lines (org_id, dispatch_id, order_id, line_no, quantity)
     select $1, 'dsp_' || ${padded('n', 9)}, ${id}, l, 2 from ${series(count)}, generate_series(1, 3) l where ${sent}`,
    `insert into dispatch_picks (org_id, dispatch_id, line_no, batch_no, quantity, serials)
     select $1, 'dsp_' || ${padded('n', 9)}, l, ${batchNo(`1 + (n * 3 + l) % ${sizes.batches}`)}, 2, '{}'
     from ${series(count)}, generate_series(1, 3) l where ${sent}`,
  ];
};

const receipts = (sizes) => {
  const count = sizes.receipts;
  const status = `case when n > ${count} - 500 then 'pending_acceptance' else 'accepted' end`;
  return [
    `insert into receipts (org_id, receipt_id, receipt_no, kind, supplier_code, warehouse, status, version, created_at, created_by, updated_at,
       accepted_at, accepted_by, partner_name, purchase_order_no)
     select $1, 'rcp_' || ${padded('n', 9)}, 'RC-' || ${padded('n', 7)}, 'purchase', ${customer('n', sizes)}, ${warehouse('n')}, ${status}, 1,
       ${moment('n', count)}, 'bench', ${moment('n', count)}, case when ${status} = 'accepted' then now() end, 'bench',
       'Hospital of district ' || n % ${sizes.partners}, 'PO-' || ${padded('n', 7)} from ${series(count)}`,
    `insert into receipt_lines (org_id, receipt_id, line_no, product_code, batch_no, expiry_date, quantity, serials)
     select $1, 'rcp_' || ${padded('n', 9)}, l, ${productOf('(n - 1) * 10 + l', sizes)}, ${batchNo('(n - 1) * 10 + l')},
       current_date - 30 + ((n - 1) * 10 + l) % 1400, 10, '{}' from ${series(count)}, generate_series(1, 10) l`,
  ];
};

const quality = (sizes) => {
  const { nonconformities, dispositions } = sizes;
  const isOpen = `n > ${nonconformities} - 200`;
  const isExecuted = `n <= ${dispositions} - 100`;
  return [
    `insert into nonconformities (org_id, nc_id, source_kind, product_code, product_name, batch_no, serials, quantity, warehouse, in_stock,
       reason, executed_quantity, created_at, created_by, closed_at, updated_at)
     select $1, 'ncr_' || ${padded('n', 9)}, 'manual', ${productOf('n * 3', sizes)}, 'Product', ${batchNo('n * 3')}, '{}', 2, ${warehouse('n * 3')},
       true, 'Bench', case when ${isOpen} then 0 else 2 end, ${moment('n', nonconformities)}, 'bench', case when ${isOpen} then null else now() end,
       ${moment('n', nonconformities)} from ${series(nonconformities)}`,
    `insert into dispositions (org_id, disposition_id, kind, status, reason, proposed_at, proposed_by, approved_at, approved_by, executed_at,
       executed_by, updated_at)
     select $1, 'dis_' || ${padded('n', 9)}, 'release', case when ${isExecuted} then 'executed' else 'proposed' end, 'Bench',
       ${moment('n', dispositions)}, 'bench', case when ${isExecuted} then now() end, case when ${isExecuted} then 'second' end,
       case when ${isExecuted} then now() end, case when ${isExecuted} then 'bench' end, ${moment('n', dispositions)}
     from ${series(dispositions)}`,
    `insert into disposition_lines (org_id, disposition_id, line_no, nc_id, product_code, product_name, batch_no, warehouse, quantity, serials)
     select $1, 'dis_' || ${padded('n', 9)}, l, 'ncr_' || ${padded('n * 2 - 1 + l % 2', 9)}, ${productOf('(n * 2 - 1 + l % 2) * 3', sizes)}, 'Product',
       ${batchNo('(n * 2 - 1 + l % 2) * 3')}, 'WH-1', 1, '{}' from ${series(dispositions)}, generate_series(1, 2) l`,
  ];
};

const watched = ({ alerts }) => [
  `insert into monitoring_points (org_id, point_id, name, warehouse, temperature_min, temperature_max, alarm_delay_seconds,
     silent_after_seconds, status, created_at, updated_at)
   select $1, 'PT-' || n, 'Cold room ' || n, ${warehouse('n')}, 2, 8, 60, 3600, 'active', now(), now() from ${series(POINTS)}`,
  `insert into point_states (org_id, point_id) select $1, 'PT-' || n from ${series(POINTS)}`,
  `insert into environment_alerts (org_id, alert_id, point_id, point_name, warehouse, metric, lower_limit, upper_limit, started_at, opened_at,
     lowest, highest, last_value, last_observed_at, last_told_at, closed_at, acknowledged_at, acknowledged_by, acknowledgement,
     recorded_at, updated_at)
   select $1, 'alr_' || ${padded('n', 9)}, 'PT-' || (1 + n % ${POINTS}), 'Cold room ' || (1 + n % ${POINTS}), ${warehouse('n')}, 'temperature', 2, 8,
     ${moment('n', alerts)}, ${moment('n', alerts)}, 9, 9, 9, ${moment('n', alerts)}, ${moment('n', alerts)}, now(),
     case when n <= ${alerts} - 50 then now() end, case when n <= ${alerts} - 50 then 'bench' end, 'Seen', now(), ${moment('n', alerts)}
   from ${series(alerts)}`,
];

const WEBHOOK = 'whk_bench';
/** Events and pushes are kept for 90 days. */
const recent = (n, count) =>
  `now() - interval '1 minute' - ((${count} - (${n})) * ${(89 * DAY_SECONDS).toFixed(0)}.0 / ${count}) * interval '1 second'`;

const logs = (sizes) => {
  const { events, audited, orders } = sizes;
  const order = `1 + n % ${orders}`;
  return [
    `insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, customer_code, body, position, concerns)
     select $1, 'evt_' || ${padded('n', 9)}, 'order.status_changed', ${recent('n', events)}, 'order', 'ord_' || ${padded(order, 9)}, n,
       ${customer(order, sizes)},
       json_build_object('eventId', 'evt_' || ${padded('n', 9)}, 'eventType', 'order.status_changed', 'timestamp', now(), 'data',
         json_build_object('orderId', 'ord_' || ${padded(order, 9)}, 'orderNo', ${orderNo(order)}, 'currentStatus', 'approved'))::text,
       n, '{}' from ${series(events)}`,
    `insert into event_heads (org_id, position) values ($1, ${events}) on conflict (org_id) do update set position = excluded.position`,
    `insert into webhooks (org_id, webhook_id, callback_url, event_types, description, secret, created_at, created_by, updated_at)
     values ($1, '${WEBHOOK}', 'https://partner.example/hook', '{order.status_changed}', 'Partner', 'none', now(), 'bench', now())`,
    `insert into webhook_states (org_id, webhook_id, status, disabled_at, disabled_reason, consecutive_failures, settled_to, send_from, version,
       delivered_total, failed_total, duration_ms_total)
     values ($1, '${WEBHOOK}', 'disabled', now(), 'manual', 0, ${events}, 0, 1, ${events}, 0, 0)`,
    `insert into webhook_subscriptions (org_id, webhook_id, after_position, event_types) values ($1, '${WEBHOOK}', 0, '{order.status_changed}')`,
    `insert into webhook_attempts (org_id, webhook_id, position, attempt, at, duration_ms, delivered, status)
     select $1, '${WEBHOOK}', n, 1, ${recent('n', events)}, 20, true, 200 from ${series(events)}`,
    `insert into audit_entries (org_id, entry_id, at, actor, credential_id, action, entity_type, entity_id, before, after, position, hash)
     select $1, 'aud_' || ${padded('n', 9)}, ${moment('n', audited)}, 'bench', 'bench', 'order.approved', 'order', 'ord_' || ${padded(order, 9)},
       '{"status":"pending_approval"}', '{"status":"approved"}', n, 'none' from ${series(audited)}`,
  ];
};

export const webhookId = WEBHOOK;
