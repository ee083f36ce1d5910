/**
 * The path of an event from its commit to a webhook:
 *
 * 1. Commit: `publishEvents` writes the event with the change and announces it.
 * 2. Numbering: `delivery.ts` gives committed events their positions in the feed, and claims leases (`leases.ts`) on webhooks
 *    with unsettled events.
 * 3. Supply: `supply.ts` reads the feed from the watermark on and queues what the subscription selects.
 * 4. Push: `pusher.ts` signs and posts queued events.
 * 5. Record: `recorder.ts` writes the results and moves the watermark.
 *
 * `endpoint.ts` is the state of one leased webhook that all stages share.
 */
export { type DeliveryLimits, openDelivery } from './delivery.js';
