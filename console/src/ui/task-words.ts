import { dictionary } from '../app/language.js';

/** The kinds of tasks: on the overview, and as filters of the lists that show them. */
export const taskWords = dictionary(
  {
    toDo: 'To do',
    kinds: {
      orders_to_approve: 'Orders to approve',
      orders_to_dispatch: 'Orders to dispatch',
      receipts_to_accept: 'Receipts to accept',
      dispatches_to_pick: 'Dispatches to pick',
      dispatches_to_recheck: 'Dispatches to re-check',
      alerts_to_acknowledge: 'Alerts to acknowledge',
      certificates_expired: 'Expired certificates',
      certificates_expiring: 'Expiring certificates',
      recalls_unanswered: 'Recalls awaiting acknowledgement',
      nonconformities_to_decide: 'Nonconforming goods to decide',
      dispositions_to_approve: 'Dispositions to approve',
      dispositions_to_execute: 'Dispositions to execute',
      webhooks_disabled: 'Disabled webhooks',
      products_low: 'Products below safety stock',
    },
  },
  {
    toDo: '待办',
    kinds: {
      orders_to_approve: '待审核订单',
      orders_to_dispatch: '待发货订单',
      receipts_to_accept: '待验收收货单',
      dispatches_to_pick: '待拣货发货单',
      dispatches_to_recheck: '待复核发货单',
      alerts_to_acknowledge: '待确认报警',
      certificates_expired: '已过期证照',
      certificates_expiring: '即将到期证照',
      recalls_unanswered: '待客户确认的召回',
      nonconformities_to_decide: '待处置的不合格品',
      dispositions_to_approve: '待批准的处置',
      dispositions_to_execute: '待执行的处置',
      webhooks_disabled: '已停用的 Webhook',
      products_low: '低于安全库存的产品',
    },
  },
);
