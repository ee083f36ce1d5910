import { expect } from 'vitest';
import type { TestOrganization } from '../harness/index.js';
import { BATCHES, type CrashWorld, OPENING } from './crash-world.js';
import type { SentOrder } from './order-load.js';

interface StoredOrder {
  orderNo: string;
  orderId: string;
  status: string;
  quantity: number;
  history: string[];
  dispatchIds: string[];
}
interface FeedPage {
  items: { eventId: string; eventType: string; data: Record<string, string> }[];
  nextCursor: string;
  hasMore: boolean;
}

/** The service as it is called, and its rows. */
type World = Pick<CrashWorld, 'must' | 'rows'>;

const storedOrders = (world: World, { organization }: TestOrganization) =>
  world.rows<StoredOrder>(
    `select order_no as "orderNo", order_id as "orderId", status,
      (select sum(quantity)::int from order_lines l where l.org_id = o.org_id and l.order_id = o.order_id) as quantity,
      array(select current_status from order_status_changes c where c.org_id = o.org_id and c.order_id = o.order_id
        order by version, step) as history,
      array(select dispatch_id::text from dispatches d where d.org_id = o.org_id and d.order_id = o.order_id
        order by 1) as "dispatchIds"
    from orders o where org_id = $1 order by order_no collate "C"`,
    [organization.orgId],
  );

/** The orders that must be stored. Every outcome was resolved, so they are known exactly. */
const expectedOrders = (sent: readonly SentOrder[]): StoredOrder[] =>
  sent
    .map(({ orderNo, orderId, quantity, statuses, dispatchIds }) => ({
      orderNo,
      orderId: orderId ?? 'never acknowledged',
      status: statuses.at(-1) ?? '',
      quantity,
      history: statuses,
      dispatchIds,
    }))
    .sort((a, b) => (a.orderNo < b.orderNo ? -1 : 1));

async function feed(world: World, { key }: TestOrganization): Promise<FeedPage['items']> {
  const items: FeedPage['items'] = [];
  for (let after = ''; ; ) {
    const page: FeedPage = await world.must('GET', `/v2/events?limit=200${after}`, undefined, key);
    items.push(...page.items);
    if (!page.hasMore) return items;
    after = `&after=${page.nextCursor}`;
  }
}

/** The orders that were sent are stored, with one event for each change, and reserved and shipped what they must. */
export async function expectOrders(
  world: World,
  org: TestOrganization,
  sent: readonly SentOrder[],
): Promise<void> {
  const orders = await storedOrders(world, org);
  expect(orders).toEqual(expectedOrders(sent));
  await expectOneEventPerChange(world, org, orders);
  await expectOrderedStock(world, org, orders);
}

async function expectOneEventPerChange(
  world: World,
  org: TestOrganization,
  orders: readonly StoredOrder[],
): Promise<void> {
  const all = await feed(world, org);
  expect(new Set(all.map((item) => item.eventId)).size).toBe(all.length);
  const items = all.filter(({ data }) => !data.orderNo?.startsWith('written-'));
  const published = items
    .filter((item) => item.eventType === 'order.status_changed')
    .map(({ data }) => `${data.orderNo} ${data.previousStatus} > ${data.currentStatus}`);
  const changes = orders.flatMap(({ orderNo, history }) =>
    history.slice(1).map((status, i) => `${orderNo} ${history[i]} > ${status}`),
  );
  expect(published.sort()).toEqual(changes.sort());
  const left = items.filter((item) => item.eventType === 'inventory.outbound_completed');
  const shipped = orders.filter(({ history }) => history.includes('dispatched'));
  expect(left.map(({ data }) => data.orderNo).sort()).toEqual(shipped.map(({ orderNo }) => orderNo).sort());
}

async function expectOrderedStock(
  world: World,
  { key }: TestOrganization,
  orders: readonly StoredOrder[],
): Promise<void> {
  const sum = (some: readonly StoredOrder[]) => some.reduce((total, order) => total + order.quantity, 0);
  const shipped = sum(orders.filter(({ history }) => history.includes('dispatched')));
  const reserved = sum(orders.filter(({ status }) => status === 'approved'));
  const path = '/v2/inventory?productCode=CRASH-1&warehouse=WH-1';
  expect(await world.must('GET', path, undefined, key)).toMatchObject({
    totalQuantity: BATCHES.length * OPENING - shipped,
    reservedQuantity: reserved,
    blockedQuantity: 0,
  });
}
