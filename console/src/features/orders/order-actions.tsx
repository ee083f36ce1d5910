import { ActionIcon, Menu } from '@mantine/core';
import { Ban, Check, CirclePause, CirclePlay, EllipsisVertical, PackageX, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { AskedButton, AskedWindow } from '../../ui/action.js';
import { CreateDispatch } from './create-dispatch.js';
import type { Order } from './order.types.js';
import { orderWords } from './order-words.js';

/** The actions that the order's status and the user's scopes allow; actions that end the order are in a menu. */
export function OrderActions({ order }: { order: Order }) {
  const may = useMay();
  const { status, onHold } = order;
  const isOpen = status === 'approved' || status === 'partially_dispatched';
  const canApprove = may('orders:approve') && status === 'pending_approval' && !onHold;
  const endings: Ending[] = [];
  if (may('orders:write')) {
    if (status === 'partially_dispatched' && !onHold) endings.push('close');
    if (status === 'pending_approval' || status === 'approved') endings.push('cancel');
  }
  return (
    <>
      {canApprove && <Approve order={order} />}
      {canApprove && <Reject order={order} />}
      {may('dispatches:write') && isOpen && !onHold && <CreateDispatch order={order} />}
      {may('orders:write') && (
        <>
          {isOpen && order.shortage && !onHold && <Reserve order={order} />}
          {(isOpen || status === 'pending_approval') && <HoldOrRelease order={order} />}
        </>
      )}
      {endings.length > 0 && <Endings order={order} endings={endings} />}
    </>
  );
}

const pathOf = ({ orderId }: Order) => ({ path: { orderId } });
const why = (reason: string) => ({ body: { reason: reason || null } });

function Approve({ order }: { order: Order }) {
  const words = useWords(orderWords);
  return (
    <AskedButton
      label={words.approve}
      question={words.approveQuestion}
      variant="filled"
      icon={<Check size={16} />}
      run={() => api.post('/v2/orders/{orderId}/approve', { ...pathOf(order), body: {} })}
      done={words.approved}
    />
  );
}

/** The alternative to approval. */
function Reject({ order }: { order: Order }) {
  const words = useWords(orderWords);
  return (
    <AskedButton
      label={words.reject}
      question={words.rejectQuestion}
      reason="required"
      danger
      icon={<X size={16} />}
      run={(reason) => api.post('/v2/orders/{orderId}/reject', { ...pathOf(order), body: { reason } })}
      done={words.rejected}
    />
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

/** Ways to end an order before all of it is delivered. */
type Ending = 'close' | 'cancel';

function Endings({ order, endings }: { order: Order; endings: readonly Ending[] }) {
  const words = useWords(orderWords);
  const [asked, setAsked] = useState<Ending | null>(null);
  const ways = {
    close: {
      ...{ label: words.close, question: words.closeQuestion, done: words.closedDone, icon: PackageX },
      run: (reason: string) => api.post('/v2/orders/{orderId}/close', { ...pathOf(order), ...why(reason) }),
    },
    cancel: {
      ...{ label: words.cancel, question: words.cancelQuestion, done: words.cancelled, icon: Ban },
      run: (reason: string) => api.post('/v2/orders/{orderId}/cancel', { ...pathOf(order), ...why(reason) }),
    },
  };
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size="input-sm" aria-label={words.moreActions}>
            <EllipsisVertical size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {endings.map((ending) => {
            const { label, icon: Icon } = ways[ending];
            return (
              <Menu.Item
                key={ending}
                color="red"
                leftSection={<Icon size={16} />}
                onClick={() => setAsked(ending)}
              >
                {label}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
      {endings.map((ending) => {
        const { icon: _, ...question } = ways[ending];
        return (
          <AskedWindow
            key={ending}
            {...question}
            reason="required"
            danger
            opened={asked === ending}
            onClose={() => setAsked(null)}
          />
        );
      })}
    </>
  );
}
