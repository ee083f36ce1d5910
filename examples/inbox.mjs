/** Acts on each event once, however often it is pushed. A real one keeps the ids in its database, with the effect. */
export function createInbox(act) {
  const done = new Set();
  return async (event) => {
    if (done.has(event.eventId)) return;
    await act(event);
    done.add(event.eventId);
  };
}

/** Describes an event in one line. */
export function describe(event) {
  switch (event.eventType) {
    case 'order.status_changed':
      return `order ${event.data.orderNo} is ${event.data.currentStatus}`;
    case 'inventory.low_stock':
      return `${event.data.productName}: only ${event.data.availableQuantity} left`;
    default:
      return `${event.eventType} ${event.eventId}`;
  }
}
