import { useResource } from '../../app/api.js';
import type { Order } from './order.types.js';
import type { Readiness } from './readiness.js';

const isWaiting = ({ status }: Order): boolean => status === 'pending_approval';

/** The current findings of approval, or of reserving again. Undefined if there is nothing to reserve, or before it is loaded. */
export function useReadiness(order: Order): Readiness | undefined {
  const { data } = useResource('/v2/orders/{orderId}/readiness', {
    path: { orderId: order.orderId },
    enabled: isWaiting(order) || order.shortage,
  });
  return isWaiting(order) || order.shortage ? data : undefined;
}
