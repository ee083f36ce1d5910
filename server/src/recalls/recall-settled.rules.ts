import type { Issue } from '../platform/errors/index.js';
import { issueOf } from './recall.errors.js';
import type { RecallStanding } from './recall.js';

type Settled = Pick<RecallStanding, 'affectedStock' | 'consignees'>;
type Excused = readonly { customerCode: string }[];

/** Refuses to excuse customers that are not consignees, have answered, or are named twice. */
export function unansweredIssues({ consignees }: Settled, unanswered: Excused): Issue[] {
  const byCode = new Map(consignees.map((each) => [each.customerCode, each]));
  return unanswered.flatMap(({ customerCode }, i) => {
    const path = `/unanswered/${i}/customerCode`;
    const consignee = byCode.get(customerCode);
    if (!consignee) return [issueOf('not_a_consignee', path)];
    if (consignee.answer) return [issueOf('already_answered', path)];
    const first = unanswered.findIndex((each) => each.customerCode === customerCode);
    return first < i ? [issueOf('duplicate_consignee', path)] : [];
  });
}

/** Lists the obstacles to closing a recall: stock under its holds, and unexcused consignees without an answer. */
export function openPoints({ affectedStock, consignees }: Settled, unanswered: Excused): Issue[] {
  const excused = new Set(unanswered.map(({ customerCode }) => customerCode));
  return [
    ...affectedStock.map(({ warehouse, batchNo, quantity }) =>
      issueOf(
        'recall_not_settled',
        null,
        `${quantity} of batch ${batchNo || '–'} in ${warehouse} are on hold without a disposition`,
      ),
    ),
    ...consignees
      .filter(({ answer, customerCode }) => !answer && !excused.has(customerCode))
      .map(({ customerCode, quantity }) =>
        issueOf(
          'recall_not_settled',
          '/unanswered',
          `${customerCode} has not answered about the ${quantity} delivered to it`,
        ),
      ),
  ];
}
