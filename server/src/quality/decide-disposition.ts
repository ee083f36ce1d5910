import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import type { Disposition } from './disposition.js';
import { dispositionMachine } from './disposition.rules.js';
import { saveDecision } from './disposition.store.js';
import { requireDisposition } from './load-disposition.js';
import { lockNonconformities, type Shift, shiftNonconformity } from './nonconformity.store.js';
import { refuseQuality } from './quality.errors.js';

/** Approval by a second person. The goods stay on hold until the disposition is executed. */
export async function approveDisposition(tx: Tx, dispositionId: string): Promise<Disposition> {
  const before = await requireDisposition(tx, dispositionId);
  dispositionMachine.require(before.status, 'approve');
  if (before.proposedBy === tx.actor) throw refuseQuality('same_person', null);
  const after: Disposition = {
    ...before,
    status: 'approved',
    approvedAt: tx.now,
    approvedBy: tx.actor,
    version: before.version + 1,
    updatedAt: tx.now,
  };
  await shiftEntries(tx, before, (quantity) => ({ proposed: -quantity, approved: quantity }));
  return save(tx, 'disposition.approve', before, after, null);
}

/** Rejection, also of an approved disposition that can no longer be executed. The goods can then be decided on again. */
export async function rejectDisposition(tx: Tx, dispositionId: string, reason: string): Promise<Disposition> {
  const before = await requireDisposition(tx, dispositionId);
  dispositionMachine.require(before.status, 'reject');
  const after: Disposition = {
    ...before,
    status: 'rejected',
    rejectedAt: tx.now,
    rejectedBy: tx.actor,
    rejectReason: reason,
    version: before.version + 1,
    updatedAt: tx.now,
  };
  await shiftEntries(tx, before, (quantity) =>
    before.status === 'approved' ? { approved: -quantity } : { proposed: -quantity },
  );
  return save(tx, 'disposition.reject', before, after, reason);
}

/** Moves the units of each line to another state in the register. */
export async function shiftEntries(
  tx: Tx,
  { lines }: Disposition,
  shiftOf: (quantity: number) => Shift,
): Promise<void> {
  const quantities = new Map<string, number>();
  for (const { ncId, quantity } of lines)
    if (ncId) quantities.set(ncId, (quantities.get(ncId) ?? 0) + quantity);
  const ncIds = [...quantities.keys()].sort();
  await lockNonconformities(tx, ncIds);
  for (const ncId of ncIds) shiftNonconformity(tx, ncId, shiftOf(quantities.get(ncId) ?? 0));
}

async function save(
  tx: Tx,
  action: string,
  before: Disposition,
  after: Disposition,
  reason: string | null,
): Promise<Disposition> {
  saveDecision(tx, after);
  await recordAudit(tx, {
    action,
    entityType: 'disposition',
    entityId: after.dispositionId,
    reason,
    before,
    after,
  });
  return after;
}
