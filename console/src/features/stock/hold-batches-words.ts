import { counting } from '../../app/counting.js';
import { dictionary } from '../../app/language.js';

const batches = counting('batch', 'batches');

export const holdBatchesWords = dictionary(
  {
    hold: 'Hold batches',
    question: (count: number, where: string) =>
      `${batches(count)} will be put on hold (${where}) and cannot be sold until released:`,
    held: (count: number) => `${batches(count)} put on hold.`,
  },
  {
    hold: '冻结批次',
    question: (count: number, where: string) =>
      `将冻结以下 ${count} 个批次（${where}），解除冻结前不可销售：`,
    held: (count: number) => `已冻结 ${count} 个批次。`,
  },
);
