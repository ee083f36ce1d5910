import { dictionary } from '../../app/language.js';
import type { Receipt } from './receipt.types.js';

export const acceptanceRecordWords = dictionary(
  {
    heldOnArrival: 'Put on hold',
    takenIn: 'Taken in',
    heldResult: 'Put on hold, to be decided by quality',
    unmatchedReason: 'Return without a sale on record',
    allowedBy: 'Allowed by',
  },
  {
    heldOnArrival: '已转冻结',
    takenIn: '收下',
    heldResult: '已转冻结，待质量部门处置',
    unmatchedReason: '无销售记录的退货',
    allowedBy: '批准人',
  },
);

/** Accepted goods of a return go on hold, never straight into stock that can be sold. */
export const isHeldOnArrival = ({ kind, status }: Pick<Receipt, 'kind' | 'status'>): boolean =>
  kind === 'return' && (status === 'accepted' || status === 'partially_accepted');
