import { describe, expect, it } from 'vitest';
import type { Order } from './order.types.js';
import { type AuditEntry, type OrderDispatch, timelineOf } from './timeline.js';

const order = {
  statusHistory: [
    {
      previousStatus: null,
      currentStatus: 'pending_approval',
      changedBy: 'a@x',
      changedAt: '2026-11-01T08:00:00.000Z',
      reason: null,
    },
    {
      previousStatus: 'pending_approval',
      currentStatus: 'approved',
      changedBy: 'b@x',
      changedAt: '2026-11-03T08:00:00.000Z',
      reason: null,
    },
  ],
} as unknown as Order;
const line = { lineNo: 1, productCode: 'P', quantity: 2, unitPrice: '1.00' };
const entry = (action: string, at: string, before: unknown, after: unknown) =>
  ({
    entryId: `${action} ${at}`,
    action,
    at,
    actor: 'c@x',
    reason: null,
    before,
    after,
  }) as unknown as AuditEntry;

describe('the history of an order', () => {
  it('has statuses, changes and dispatches in the order in which they happened', () => {
    const dispatch = {
      dispatchId: 'dsp_1',
      createdAt: '2026-11-04T08:00:00.000Z',
      createdBy: 'd@x',
      pickedAt: '2026-11-04T09:00:00.000Z',
      pickedBy: 'd@x',
      recheckedAt: '2026-11-04T10:00:00.000Z',
      recheckedBy: 'e@x',
      recheckReason: 'one box is wet',
      dispatchedAt: null,
      deliveredAt: null,
      cancelledAt: null,
    } as unknown as OrderDispatch;
    const entries = [
      entry('order.create', '2026-11-01T08:00:00.000Z', null, {}),
      entry('order.hold', '2026-11-02T08:00:00.000Z', {}, {}),
      entry('order.approve', '2026-11-03T08:00:00.000Z', {}, {}),
    ];
    const found = timelineOf(order, [dispatch], entries);
    expect(found.map((each) => ('to' in each ? each.to : 'step' in each ? each.step : each.action))).toEqual([
      'pending_approval',
      'order.hold',
      'approved',
      'created',
      'picked',
      'failed',
    ]);
    expect(found.at(-1)).toMatchObject({ by: 'e@x', reason: 'one box is wet' });
  });

  it('keeps the usual course of what happened at one instant', () => {
    const at = '2026-11-05T08:00:00.000Z';
    const shipped = {
      statusHistory: (['pending_approval', 'approved', 'dispatched', 'delivered'] as const).map(
        (currentStatus) => ({
          previousStatus: null,
          currentStatus,
          changedBy: 'a@x',
          changedAt: at,
          reason: null,
        }),
      ),
    } as unknown as Order;
    const dispatch = {
      ...{ dispatchId: 'dsp_1', recheckReason: null, cancelledAt: null },
      ...{ createdAt: at, pickedAt: at, recheckedAt: at, dispatchedAt: at, deliveredAt: at },
    } as unknown as OrderDispatch;
    const found = timelineOf(shipped, [dispatch], []).map((each) =>
      'to' in each ? each.to : 'step' in each && each.step,
    );
    expect(found).toEqual(['pending_approval', 'approved', 'created', 'picked', 'passed', 'delivered']);
  });

  it('says once that a step of a dispatch changed the status, with the person who did it and the one who received', () => {
    const [dispatchedAt, deliveredAt] = ['2026-11-05T08:00:00.000Z', '2026-11-06T08:00:00.000Z'];
    const change = (currentStatus: string, changedAt: string) => ({
      ...{ previousStatus: null, currentStatus, changedBy: 'a@x', changedAt, reason: null },
    });
    const shipped = {
      statusHistory: [change('partially_dispatched', dispatchedAt), change('delivered', deliveredAt)],
    } as unknown as Order;
    const dispatch = {
      ...{
        dispatchId: 'dsp_1',
        createdAt: dispatchedAt,
        pickedAt: null,
        recheckReason: null,
        cancelledAt: null,
      },
      ...{ recheckedAt: dispatchedAt, dispatchedAt, deliveredAt, receivedBy: 'Sister Anna' },
    } as unknown as OrderDispatch;
    expect(timelineOf(shipped, [dispatch], [])).toMatchObject([
      { step: 'created', status: null },
      { step: 'passed', status: 'partially_dispatched', by: 'a@x' },
      { step: 'delivered', status: 'delivered', by: 'a@x', receivedBy: 'Sister Anna' },
    ]);
  });

  it('says what changed, line by line, and not what goes with every change', () => {
    const before = { orderNo: 'O-1', version: 1, remark: null, lines: [line, { ...line, lineNo: 2 }] };
    const after = { remark: 'urgent', lines: [line, { ...line, lineNo: 2, quantity: 5 }] };
    const [, change] = timelineOf(
      order,
      [],
      [entry('order.update', '2026-11-02T08:00:00.000Z', before, after)],
    );
    expect(change).toMatchObject({
      kind: 'change',
      changes: [
        { field: 'remark', before: null, after: 'urgent' },
        { field: 'lines.#2.quantity', before: '2', after: '5' },
      ],
    });
  });
});
