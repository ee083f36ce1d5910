import { type EventType, publishEvents } from '../events/index.js';
import type { Tx } from '../platform/database/index.js';
import type { Consignee, RecallStanding } from './recall.js';
import { effectivenessOf, progressOf } from './recall.rules.js';

type RecallEvent = Extract<EventType, `recall.${string}`>;

/**
 * Publishes a change of a recall for the organization and, for each customer concerned, the part it may see: its own goods
 * and counts. `customerCode` not null: the change is an answer or acknowledgement of this customer, and concerns no other.
 */
export async function publishRecall(
  tx: Tx,
  type: RecallEvent,
  recall: RecallStanding,
  customerCode: string | null = null,
): Promise<void> {
  const { recallId, consignees, version } = recall;
  const concerned = consignees.filter((each) => customerCode === null || each.customerCode === customerCode);
  await publishEvents(tx, [
    {
      type,
      at: recall.lastEventAt,
      entity: { type: 'recall', id: recallId, version },
      customerCode: null,
      data: dataOf(recall, consignees, customerCode),
      views: concerned.map((own) => ({
        customerCode: own.customerCode,
        data: dataOf(
          {
            ...recall,
            batchNos: recall.extent === 'batches' ? own.batchNos : [],
            serials: own.serials,
          },
          [own],
          own.customerCode,
        ),
      })),
    },
  ]);
}

function dataOf(
  recall: RecallStanding,
  consignees: readonly Consignee[],
  customerCode: string | null,
): object {
  const { recallId, recallNo, productCode, productName, extent, batchNos, serials, reason, status } = recall;
  const { returnedQuantity: _returnedQuantity, ...quantities } = progressOf(consignees);
  const { acknowledged, answered } = effectivenessOf(consignees);
  return {
    ...{ recallId, recallNo, productCode, productName, extent, batchNos, serials },
    ...{ class: recall.class, reason, status, customerCode },
    ...{ consignees: consignees.length, acknowledged, answered, quantities },
  };
}
