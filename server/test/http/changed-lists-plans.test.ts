import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPartners } from '../../src/catalogue/partner.store.js';
import { listProducts } from '../../src/catalogue/product.store.js';
import { listWarehouses } from '../../src/catalogue/warehouse.store.js';
import { listCertificates } from '../../src/certificates/certificate-list.store.js';
import { clientStore } from '../../src/credentials/client.store.js';
import { keyStore } from '../../src/credentials/key.store.js';
import { listDispatches } from '../../src/dispatching/dispatch.store.js';
import { listAlerts } from '../../src/environment/alert.store.js';
import { listPoints } from '../../src/environment/point.store.js';
import { listImports } from '../../src/imports/import.store.js';
import { listOrders } from '../../src/orders/order.store.js';
import { listUsers } from '../../src/people/user.store.js';
import { BY_UPDATE, type Pool, type Statement, type Tx } from '../../src/platform/database/index.js';
import { listDispositions } from '../../src/quality/disposition.store.js';
import { listNonconformities } from '../../src/quality/nonconformity.store.js';
import { listRecalls } from '../../src/recalls/recall.store.js';
import { listReceipts } from '../../src/receiving/receipt.store.js';
import { listSandboxes } from '../../src/sandboxes/sandbox.store.js';
import { listHolds } from '../../src/stock/hold.store.js';
import { listWebhooks } from '../../src/webhooks/webhook.store.js';
import { newOrganization, openTestDatabase, type TestDatabase } from '../harness/index.js';

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Parent Relationship'?: string;
  Plans?: PlanNode[];
}

const AT = '2026-11-15T10:00:00.000Z';
const page = { limit: 51, after: [AT, 'ID'], sort: BY_UPDATE, updatedSince: AT };
const certificates = (orgId: string) => ({
  orgId,
  today: '2026-11-15',
  filter: {},
  withCustomers: true,
  page,
});

const lists: [index: string, read: (tx: Tx, reader: Pool) => Promise<unknown>][] = [
  ['products_updated', (tx, reader) => listProducts(reader, tx.orgId, {}, page)],
  ['partners_updated', (tx) => listPartners(tx, {}, page)],
  ['warehouses_updated', (tx) => listWarehouses(tx, {}, page)],
  ['orders_updated', (tx) => listOrders(tx, {}, page)],
  ['receipts_updated', (tx) => listReceipts(tx, {}, page)],
  ['dispatches_updated', (tx) => listDispatches(tx, {}, page)],
  ['recalls_updated', (tx) => listRecalls(tx, {}, page)],
  ['certificates_updated', (tx, reader) => listCertificates(reader, certificates(tx.orgId))],
  ['holds_updated', (tx) => listHolds(tx, {}, page)],
  ['imports_updated', (tx) => listImports(tx, {}, page)],
  ['nonconformities_updated', (tx) => listNonconformities(tx, {}, page)],
  ['dispositions_updated', (tx) => listDispositions(tx, {}, page)],
  ['monitoring_points_updated', (tx) => listPoints(tx, {}, page)],
  ['environment_alerts_updated', (tx) => listAlerts(tx, {}, page)],
  ['webhooks_updated', (tx) => listWebhooks(tx, {}, page)],
  ['api_keys_updated', (tx) => keyStore.page(tx, {}, page)],
  ['oauth_clients_updated', (tx) => clientStore.page(tx, {}, page)],
  ['sandboxes_updated', (tx) => listSandboxes(tx, {}, page)],
  ['users_updated', (tx) => listUsers(tx, {}, page)],
];

const sorted = (by: string, isDescending: boolean, after: readonly string[]) => ({
  limit: 51,
  after,
  sort: { by, isDescending },
});
const named = ['Name', 'ID'];

/** Orders other than by the last change, and the last change backwards. */
const sortedLists: [index: string, order: string, read: (tx: Tx, reader: Pool) => Promise<unknown>][] = [
  ['orders_updated', '-updatedAt', (tx) => listOrders(tx, {}, sorted('updatedAt', true, [AT, 'ID']))],
  ['orders_no', 'orderNo', (tx) => listOrders(tx, {}, sorted('orderNo', false, named))],
  ['orders_no', '-orderNo', (tx) => listOrders(tx, {}, sorted('orderNo', true, named))],
  ['orders_pkey', 'createdAt', (tx) => listOrders(tx, {}, sorted('createdAt', false, ['ID']))],
  [
    'products_by_name',
    'productName',
    (tx, reader) => listProducts(reader, tx.orgId, {}, sorted('productName', false, named)),
  ],
  [
    'products_by_name',
    '-productName',
    (tx, reader) => listProducts(reader, tx.orgId, {}, sorted('productName', true, named)),
  ],
  ['partners_by_name', 'name', (tx) => listPartners(tx, {}, sorted('name', false, named))],
  ['partners_by_name', '-name', (tx) => listPartners(tx, {}, sorted('name', true, named))],
  ['receipts_pkey', 'createdAt', (tx) => listReceipts(tx, {}, sorted('createdAt', false, ['ID']))],
  ['receipts_no_key', 'receiptNo', (tx) => listReceipts(tx, {}, sorted('receiptNo', false, named))],
];

describe('a list in an order of its own', () => {
  let db: TestDatabase;
  let orgId: string;
  let client: pg.Client;
  beforeAll(async () => {
    db = await openTestDatabase();
    orgId = (await newOrganization(db)).organization.orgId;
    client = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public' });
    await client.connect();
    // Few rows: what would be cheapest for them says nothing about many, only what the index can give.
    for (const way of ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin', 'material', 'memoize'])
      await client.query(`set enable_${way} = off`);
  });
  afterAll(async () => {
    await client?.end();
    await db?.drop();
  });

  /** The statement of the list, with the role that sends it. */
  async function asked(read: (typeof lists)[number][1]) {
    const statements: { kind: 'app' | 'reader'; text: string; values: readonly unknown[] }[] = [];
    const note = (kind: 'app' | 'reader') => async (statement: Statement, values: readonly unknown[]) => {
      statements.push({ kind, text: statement.text, values });
      return [];
    };
    const tx = { orgId, now: new Date(AT), today: AT.slice(0, 10), query: note('app') } as unknown as Tx;
    await read(tx, { query: note('reader') } as unknown as Pool);
    const [first] = statements;
    if (!first) throw new Error('no statement');
    return first;
  }

  /** The nodes that give the rows of the list in their order, without those that complete each row. */
  const orderingOf = (node: PlanNode): PlanNode[] => [
    node,
    ...(node.Plans ?? [])
      .filter((each) => each['Parent Relationship'] === 'Outer' || each['Parent Relationship'] === 'Subquery')
      .flatMap(orderingOf),
  ];

  it.each(lists)('by the last change is read from %s, however many there are', (index, read) =>
    expectOrdered(index, read),
  );
  it.each(sortedLists)('is read from %s by %s, however many there are', (index, _order, read) =>
    expectOrdered(index, read),
  );

  async function expectOrdered(index: string, read: (typeof lists)[number][1]): Promise<void> {
    const { kind, text, values } = await asked(read);
    const [role] = await db.sql<{ name: string }>('select name from service_roles where kind = $1', [kind]);
    await client.query('begin');
    await client.query(`set local role ${client.escapeIdentifier(role?.name ?? '')}`);
    await client.query('select set_org($1)', [orgId]);
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (format json) ${text}`,
      [...values],
    );
    await client.query('rollback');
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('no plan');
    const nodes = orderingOf(plan);
    expect(nodes.map((node) => node['Index Name'])).toContain(index);
    if (kind === 'app') expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
  }
});
