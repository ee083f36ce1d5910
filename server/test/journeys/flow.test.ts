import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAudit } from '../../src/audit/index.js';
import { isCalendarDate, toUtcInstant } from '../../src/platform/calendar/index.js';
import { verifyStock } from '../../src/stock/index.js';
import { GTIN } from '../harness/index.js';
import { type DispatchView, type FeedEvent, type OrderView, openFlow, type World } from './flow-world.js';

const NOW = '2026-11-15T10:00:00.000Z';
const NAME = 'Coronary stent 3.0×18';
const ACTOR = 'owner@';

describe('from receipt to delivery', () => {
  let world: World;
  let me: string;
  const validators = new Map<string, ValidateFunction>();
  beforeAll(async () => {
    world = await openFlow();
    me = `${ACTOR}${world.org.organization.code}.example`;
    const ajv = new Ajv2020({ strict: false });
    ajv.addFormat('date', isCalendarDate);
    // Instants in responses have one format only.
    ajv.addFormat('date-time', (text: string) => toUtcInstant(text) === text);
    const types = await world.must<{ items: { eventType: string; schema: object }[] }>(
      'GET',
      '/v2/event-types',
    );
    for (const { eventType, schema } of types.items) validators.set(eventType, ajv.compile(schema));
    await world.newEvents();
    await newAudit();
  });
  afterAll(() => world.close());

  /** Events of the last step; each matches its published schema. */
  async function published(): Promise<[string, Record<string, unknown>][]> {
    const events: FeedEvent[] = await world.newEvents();
    for (const event of events) {
      const validate = validators.get(event.eventType);
      expect([event.eventType, validate?.(event), validate?.errors]).toEqual([event.eventType, true, null]);
      expect(event.timestamp).toBe(NOW);
    }
    return events.map(({ eventType, data }) => [eventType, data]);
  }

  const seen = new Set<string>();
  /** Actors and actions of the audit entries since the last call. */
  async function newAudit(): Promise<string[]> {
    const rows = await world.db.sql<{ id: string; what: string }>(
      `select entry_id as id, actor || ' ' || action || coalesce(': ' || reason, '') as what from audit_entries
       where org_id = $1 order by what`,
      [world.org.organization.orgId],
    );
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return fresh.map(({ what }) => what);
  }

  const changed = (order: OrderView, previousStatus: string, currentStatus: string, changedBy: string) => [
    'order.status_changed',
    {
      orderId: order.orderId,
      orderNo: 'SO-JOURNEY',
      customerCode: 'HOSP-1',
      previousStatus,
      currentStatus,
      changedBy,
      changedAt: NOW,
    },
  ];

  let receiptId: string;
  let order: OrderView;
  let dispatch: DispatchView;
  const picks = {
    picks: [
      { lineNo: 1, batchNo: 'B0', quantity: 48 },
      { lineNo: 1, batchNo: 'B1', quantity: 12 },
    ],
  };

  it('a receipt changes no stock and publishes no event', async () => {
    const receipt = await world.post<{ receiptId: string; status: string }>('/v2/receipts', {
      receiptNo: 'R-JOURNEY',
      supplierCode: 'SUP-1',
      warehouse: 'WH-1',
      lines: [
        { lineNo: 1, productCode: GTIN, batchNo: 'B1', expiryDate: '2030-01-01', quantity: 100 },
        {
          lineNo: 2,
          productCode: GTIN,
          batchNo: 'B0',
          manufactureDate: '2026-01-01',
          expiryDate: '2029-01-01',
          quantity: 50,
        },
      ],
    });
    receiptId = receipt.receiptId;
    expect(receipt.status).toBe('pending_acceptance');
    expect(await world.stock()).toEqual([0, 0, 0, 0]);
    expect(await published()).toEqual([]);
    expect(await newAudit()).toEqual([`${me} receipt.create`]);
  });

  it('the accepted quantity, and only that, enters stock and is published', async () => {
    const receipt = await world.post<{ status: string }>(`/v2/receipts/${receiptId}/acceptance`, {
      lines: [
        { lineNo: 2, acceptedQuantity: 48, rejectedQuantity: 2, rejectReason: 'damaged' },
        { lineNo: 1, acceptedQuantity: 100, rejectedQuantity: 0 },
      ],
    });
    expect(receipt.status).toBe('partially_accepted');
    expect(await world.stock()).toEqual([148, 148, 0, 0]);
    const line = { productCode: GTIN, productName: NAME };
    expect(await published()).toEqual([
      [
        'inventory.inbound_completed',
        {
          receiptId,
          receiptNo: 'R-JOURNEY',
          supplierCode: 'SUP-1',
          warehouse: 'WH-1',
          acceptedBy: me,
          acceptedAt: NOW,
          lines: [
            {
              ...line,
              batchNo: 'B1',
              manufactureDate: null,
              expiryDate: '2030-01-01',
              acceptedQuantity: 100,
              rejectedQuantity: 0,
            },
            {
              ...line,
              batchNo: 'B0',
              manufactureDate: '2026-01-01',
              expiryDate: '2029-01-01',
              acceptedQuantity: 48,
              rejectedQuantity: 2,
            },
          ],
        },
      ],
    ]);
    expect((await newAudit()).sort()).toEqual([
      `${me} nonconformity.register: damaged`,
      `${me} receipt.accept`,
    ]);
  });

  it('a new order reserves nothing yet and publishes no event', async () => {
    order = await world.post<OrderView>('/v2/orders', {
      ...world.orderBody({ quantity: 60 }),
      orderNo: 'SO-JOURNEY',
    });
    expect([order.result, order.status, order.totalAmount]).toEqual([
      'created',
      'pending_approval',
      '600.00',
    ]);
    expect(order.statusHistory).toMatchObject([{ previousStatus: null, currentStatus: 'pending_approval' }]);
    expect(await world.stock()).toEqual([148, 148, 0, 0]);
    expect(await published()).toEqual([]);
    expect(await newAudit()).toEqual([`${me} order.create`]);
  });

  it('approval reserves earliest expiry first and is published', async () => {
    order = await world.act(order.orderId, 'approve');
    expect(order.lines[0]?.reserved).toEqual([
      { batchNo: 'B0', expiryDate: '2029-01-01', quantity: 48 },
      { batchNo: 'B1', expiryDate: '2030-01-01', quantity: 12 },
    ]);
    expect(await world.stock()).toEqual([148, 88, 60, 0]);
    expect(await published()).toEqual([changed(order, 'pending_approval', 'approved', me)]);
    expect(await newAudit()).toEqual([`${me} order.approve`]);
  });

  it('opening a dispatch and picking move no stock', async () => {
    dispatch = await world.open(order.orderId);
    expect(dispatch.lines[0]?.toPick).toEqual([
      { batchNo: 'B0', quantity: 48 },
      { batchNo: 'B1', quantity: 12 },
    ]);
    expect(await newAudit()).toEqual([`${me} dispatch.create`]);
    expect((await world.on(dispatch.dispatchId, 'picks', picks)).status).toBe('rechecking');
    expect(await newAudit()).toEqual([`${me} dispatch.pick`]);
    expect(await world.stock()).toEqual([148, 88, 60, 0]);
    expect(await published()).toEqual([]);
  });

  it('the picker cannot re-check, and the attempt changes nothing', async () => {
    expect(
      await world.refused('POST', `/v2/dispatches/${dispatch.dispatchId}/recheck`, { result: 'pass' }),
    ).toBe('same_person');
    expect(await newAudit()).toEqual([]);
    expect(await world.stock()).toEqual([148, 88, 60, 0]);
  });

  it('a failed re-check goes back to picking with its reason and moves no stock', async () => {
    const fail = { result: 'fail', reason: 'label' };
    const failed = await world.on(dispatch.dispatchId, 'recheck', fail, world.second);
    expect([failed.status, failed.recheckReason]).toEqual(['picking', 'label']);
    expect(await newAudit()).toEqual(['second@person.example dispatch.fail: label']);
    await world.on(dispatch.dispatchId, 'picks', picks);
    expect(await world.stock()).toEqual([148, 88, 60, 0]);
    expect(await published()).toEqual([]);
    expect(await newAudit()).toEqual([`${me} dispatch.pick`]);
  });

  it('a passed re-check takes the stock out and publishes shipment and order', async () => {
    expect((await world.pass(dispatch.dispatchId)).status).toBe('dispatched');
    expect(await world.stock()).toEqual([88, 88, 0, 0]);
    const line = { productCode: GTIN, productName: NAME, serials: [] };
    expect(await published()).toEqual([
      [
        'inventory.outbound_completed',
        {
          dispatchId: dispatch.dispatchId,
          orderId: order.orderId,
          orderNo: 'SO-JOURNEY',
          customerCode: 'HOSP-1',
          warehouse: 'WH-1',
          recheckedBy: 'second@person.example',
          recheckedAt: NOW,
          lines: [
            { ...line, batchNo: 'B0', expiryDate: '2029-01-01', quantity: 48 },
            { ...line, batchNo: 'B1', expiryDate: '2030-01-01', quantity: 12 },
          ],
        },
      ],
      changed(order, 'approved', 'dispatched', 'second@person.example'),
    ]);
    expect(await newAudit()).toEqual([
      'second@person.example dispatch.pass',
      'second@person.example order.dispatch',
    ]);
  });

  it('delivery ends the order and everything still adds up', async () => {
    expect((await world.deliver(dispatch.dispatchId)).status).toBe('delivered');
    order = await world.readOrder(order.orderId);
    expect(order).toMatchObject({ status: 'delivered', shortage: false });
    expect(order.lines[0]).toMatchObject({ reserved: [], dispatchedQuantity: 60, deliveredQuantity: 60 });
    expect(order.statusHistory.map((change) => change.currentStatus)).toEqual([
      'pending_approval',
      'approved',
      'dispatched',
      'delivered',
    ]);
    expect(await published()).toEqual([changed(order, 'dispatched', 'delivered', me)]);
    expect(await newAudit()).toEqual([`${me} dispatch.deliver`, `${me} order.deliver`]);
    expect(await world.stock()).toEqual([88, 88, 0, 0]);
    const { orgId } = world.org.organization;
    expect(await verifyStock(world.db.database, orgId)).toMatchObject({ ok: true });
    expect(await verifyAudit(world.db.database, orgId)).toMatchObject({ ok: true });
  });
});
