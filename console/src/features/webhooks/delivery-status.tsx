import { type Status, StatusBadge, useStatusChoices } from '../../ui/status.js';
import type { Delivery } from './delivery.types.js';

/** Chinese has two words: one for delivering an event to a system, another for delivering goods to a customer. */
const shown = (status: Delivery['status']): Status => (status === 'delivered' ? 'pushed' : status);

const STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'skipped'] as const;

export const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>) => (
  <StatusBadge status={shown(status)} />
);

export function useDeliveryStatusChoices(): { value: string; label: string }[] {
  const choices = useStatusChoices(STATUSES.map(shown));
  return STATUSES.map((value, at) => ({ value, label: choices[at]?.label ?? value }));
}
