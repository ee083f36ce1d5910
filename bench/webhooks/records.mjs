/*
 * The events and their receivers. Everything follows from numbers, so that the processes need not exchange it.
 * Endpoints are numbered through: the first five belong to the first organization, and so on.
 */
import { createHash, createHmac } from 'node:crypto';

export const MOST_ENDPOINTS = 1_000;
export const ENDPOINTS_PER_ORGANIZATION = 5;
export const PER_ENDPOINT_MAX = 10;
/** Each order's events of one round, which an endpoint must get one after the other. */
const EVENTS_PER_ORDER = 4;
/** Fewer than an endpoint takes at once: an order's next event comes up while its last one may be under way. */
const ORDERS_AT_A_TIME = 5;
const BODY_BYTES = 600;

/** The event type all endpoints of an organization get. */
export const SHARED_TYPE = 'order.status_changed';
/** Event types that only one of them gets: the first endpoint the first type, and so on. */
export const OWN_TYPES = [
  'inventory.inbound_completed',
  'inventory.outbound_completed',
  'inventory.low_stock',
  'expiry.warning',
  'certificate.expiring',
];

export const organizationOf = (endpoint) => Math.floor(endpoint / ENDPOINTS_PER_ORGANIZATION);

/** Partners are different machines: each endpoint has an address of its own, as far as the loopback network goes. */
export const ownAddress = (endpoint) => `127.1.${endpoint >> 8}.${endpoint & 255}`;
/** One address for all, which is easier on the sender. */
export const oneAddress = () => '127.0.0.1';
export const urlOf = (address, endpoint, port) => `http://${address(endpoint)}:${port}${pathOf(endpoint)}`;
export const pathOf = (endpoint) => `/hook/${endpoint}`;

export const secretOf = (endpoint) =>
  `whsec_${createHash('sha256').update(`endpoint ${endpoint}`).digest('base64')}`;
export const signatureOf = (secret, body) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** The events of one round: so many for each of so many organizations. */
export function eventsOf(round, organizations, perOrganization) {
  const stretch = ORDERS_AT_A_TIME * EVENTS_PER_ORDER;
  const orderOf = (mark) => Math.floor(mark / stretch) * ORDERS_AT_A_TIME + (mark % ORDERS_AT_A_TIME);
  const events = [];
  for (let mark = 0; mark < perOrganization; mark++)
    for (let organization = 0; organization < organizations; organization++)
      events.push(eventOf({ round, organization, mark, order: orderOf(mark) }));
  return events;
}

function eventOf({ round, organization, mark, order }) {
  const name = (...numbers) => numbers.map((n, i) => String(n).padStart([8, 6, 12][i], '0')).join('');
  const eventId = `evt_${name(round, organization, mark)}`;
  const orderId = `ord_${name(round, organization, order)}`;
  const at = new Date().toISOString();
  const envelope = {
    eventId,
    eventType: SHARED_TYPE,
    timestamp: at,
    data: {
      orderId,
      orderNo: `SO-${round}-${organization}-${order}`,
      customerCode: `HOSPITAL-${organization}`,
      previousStatus: 'pending_approval',
      currentStatus: 'approved',
      changedBy: 'approver@bench.example',
      changedAt: at,
      round,
      organization,
      mark,
      remark: '',
    },
  };
  envelope.data.remark = 'x'.repeat(BODY_BYTES - JSON.stringify(envelope).length);
  return { organization, mark, eventId, orderId, body: JSON.stringify(envelope) };
}

/** The same as pushes, each to every endpoint of its organization. */
export const pushesOf = (events) =>
  events.flatMap(({ organization, body }) =>
    Array.from({ length: ENDPOINTS_PER_ORGANIZATION }, (_, i) => ({
      endpoint: organization * ENDPOINTS_PER_ORGANIZATION + i,
      body,
    })),
  );
