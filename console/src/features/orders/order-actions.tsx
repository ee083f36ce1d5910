import { Check, CirclePause, CirclePlay, PackageX, RotateCcw, X } from 'lucide-react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { CreateDispatch } from './create-dispatch.js';
import type { Order } from './order.types.js';
import { orderWords } from './order-words.js';

/** The actions that the order's status and the user's scopes allow. */
export function OrderActions({ order }: { order: Order }) {
  const may = useMay();
  const { status, onHold } = order;
  const isOpen = status === 'approved' || status === 'partially_dispatched';
  return (
    <>
      {may('orders:approve') && status === 'pending_approval' && !onHold && <Decide order={order} />}
      {may('dispatches:write') && isOpen && !onHold && <CreateDispatch order={order} />}
      {may('orders:write') && (
        <>
          {isOpen && order.shortage && !onHold && <Reserve order={order} />}
          {(isOpen || status === 'pending_approval') && <HoldOrRelease order={order} />}
          {status === 'partially_dispatched' && !onHold && <Close order={order} />}
          {(status === 'pending_approval' || status === 'approved') && <Cancel order={order} />}
        </>
      )}
    </>
  );
}

const pathOf = ({ orderId }: Order) => ({ path: { orderId } });
const why = (reason: string) => ({ body: { reason: reason || null } });

function Decide({ order }: { order: Order }) {
  const words = useWords(orderWords);
  return (
    <>
      <AskedButton
        label={words.approve}
        question={words.approveQuestion}
        variant="filled"
        icon={<Check size={16} />}
        run={() => api.post('/v2/orders/{orderId}/approve', { ...pathOf(order), body: {} })}
        done={words.approved}
      />
      <AskedButton
        label={words.reject}
        question={words.rejectQuestion}
        reason="required"
        danger
        icon={<X size={16} />}
        run={(reason) => api.post('/v2/orders/{orderId}/reject', { ...pathOf(order), body: { reason } })}
        done={words.rejected}
      />
    </>
  );
}

function HoldOrRelease({ order }: { order: Order }) {
  const words = useWords(orderWords);
  if (order.onHold)
    return (
      <AskedButton
        key="release"
        label={words.release}
        question={words.releaseQuestion}
        reason="optional"
        icon={<CirclePlay size={16} />}
        run={(reason) => api.post('/v2/orders/{orderId}/release', { ...pathOf(order), ...why(reason) })}
        done={words.released}
      />
    );
  return (
    <AskedButton
      key="hold"
      label={words.hold}
      question={words.holdQuestion}
      reason="optional"
      icon={<CirclePause size={16} />}
      run={(reason) => api.post('/v2/orders/{orderId}/hold', { ...pathOf(order), ...why(reason) })}
      done={words.held}
    />
  );
}

function Reserve({ order }: { order: Order }) {
  const words = useWords(orderWords);
  return (
    <AskedButton
      label={words.reserve}
      question={words.reserveQuestion}
      icon={<RotateCcw size={16} />}
      run={() => api.post('/v2/orders/{orderId}/reserve', { ...pathOf(order), body: {} })}
      done={words.reservedDone}
    />
  );
}

function Close({ order }: { order: Order }) {
  const words = useWords(orderWords);
  return (
    <AskedButton
      label={words.close}
      question={words.closeQuestion}
      reason="required"
      danger
      icon={<PackageX size={16} />}
      run={(reason) => api.post('/v2/orders/{orderId}/close', { ...pathOf(order), ...why(reason) })}
      done={words.closedDone}
    />
  );
}

function Cancel({ order }: { order: Order }) {
  const words = useWords(orderWords);
  return (
    <AskedButton
      label={words.cancel}
      question={words.cancelQuestion}
      reason="required"
      danger
      icon={<X size={16} />}
      run={(reason) => api.post('/v2/orders/{orderId}/cancel', { ...pathOf(order), ...why(reason) })}
      done={words.cancelled}
    />
  );
}
