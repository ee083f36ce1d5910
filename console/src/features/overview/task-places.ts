import type { PagePath, PlainPath, Search } from '../../app/paths.js';
import type { Overview } from './overview-data.js';

type Task = Overview['tasks'][number];
export type TaskKind = Task['kind'];

/** The list that shows the tasks of a kind. */
export const TASK_LISTS: Readonly<Record<TaskKind, readonly [to: PlainPath, search: Search]>> = {
  orders_to_approve: ['/orders', { task: 'orders_to_approve' }],
  orders_to_dispatch: ['/orders', { task: 'orders_to_dispatch' }],
  receipts_to_accept: ['/receipts', { status: 'pending_acceptance' }],
  dispatches_to_pick: ['/dispatches', { task: 'dispatches_to_pick' }],
  dispatches_to_recheck: ['/dispatches', { task: 'dispatches_to_recheck' }],
  alerts_to_acknowledge: ['/environment/alerts', { acknowledged: 'false' }],
  certificates_expired: ['/certificates', { status: 'expired' }],
  certificates_expiring: ['/certificates', { status: 'expiring' }],
  recalls_unanswered: ['/recalls', { task: 'recalls_unanswered' }],
  nonconformities_to_decide: ['/quality/nonconformities', { task: 'nonconformities_to_decide' }],
  dispositions_to_approve: ['/quality/dispositions', { task: 'dispositions_to_approve' }],
  dispositions_to_execute: ['/quality/dispositions', { task: 'dispositions_to_execute' }],
  webhooks_disabled: ['/webhooks', { task: 'webhooks_disabled' }],
  products_low: ['/products', { task: 'products_low' }],
};

const PAGES: Readonly<Record<TaskKind, readonly [to: PagePath, param: string]>> = {
  orders_to_approve: ['/orders/$orderId', 'orderId'],
  orders_to_dispatch: ['/orders/$orderId', 'orderId'],
  receipts_to_accept: ['/receipts/$receiptId', 'receiptId'],
  dispatches_to_pick: ['/dispatches/$dispatchId', 'dispatchId'],
  dispatches_to_recheck: ['/dispatches/$dispatchId', 'dispatchId'],
  alerts_to_acknowledge: ['/environment/alerts/$alertId', 'alertId'],
  certificates_expired: ['/certificates/$certificateId', 'certificateId'],
  certificates_expiring: ['/certificates/$certificateId', 'certificateId'],
  recalls_unanswered: ['/recalls/$recallId', 'recallId'],
  nonconformities_to_decide: ['/quality/nonconformities/$ncId', 'ncId'],
  dispositions_to_approve: ['/quality/dispositions/$dispositionId', 'dispositionId'],
  dispositions_to_execute: ['/quality/dispositions/$dispositionId', 'dispositionId'],
  webhooks_disabled: ['/webhooks/$webhookId', 'webhookId'],
  products_low: ['/products/$productCode', 'productCode'],
};

/** The page of the record that waits. */
export function pageOfTask({ kind, id }: Pick<Task, 'kind' | 'id'>): {
  to: string;
  params: Record<string, string>;
} {
  const [to, param] = PAGES[kind];
  return { to, params: { [param]: id } };
}
