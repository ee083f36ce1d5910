import type { Item } from '@lotward/client';
import type { Status } from '../../ui/status.js';

/** An entry of the register of nonconforming goods. */
export type Nonconformity = Item<'/v2/quality/nonconformities'>;
export type Disposition = Item<'/v2/quality/dispositions'>;
export type DispositionKind = Disposition['kind'];

export const NONCONFORMITY_STATUSES = {
  open: 'undecided',
  decided: 'decided',
  closed: 'closed',
} as const satisfies Record<Nonconformity['status'], Status>;

/** Goods that all wait for the approval of a disposition are no longer undecided, although none is approved yet. */
export const entryStatus = ({ status, openQuantity, proposedQuantity }: Nonconformity): Status =>
  status === 'open' && openQuantity === 0 && proposedQuantity > 0
    ? 'deciding'
    : NONCONFORMITY_STATUSES[status];

/** An approved disposition waits to be executed; for an order, approved means something else. */
export const DISPOSITION_STATUSES = {
  proposed: 'proposed',
  approved: 'to_execute',
  executed: 'executed',
  rejected: 'rejected',
} as const satisfies Record<Disposition['status'], Status>;

export const KINDS = [
  'release',
  'rework',
  'return_to_supplier',
  'destroy',
] as const satisfies readonly DispositionKind[];
export const SOURCES = [
  'receipt',
  'return',
  'manual',
] as const satisfies readonly Nonconformity['source']['kind'][];
