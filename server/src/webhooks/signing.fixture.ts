import { pushHeaders, signingKey } from './signing.js';

/** A push as the service would send it now. */
export function signedPush(
  secret: string,
  event: { eventId: string; eventType: string },
  at: Date,
): { headers: Record<string, string>; body: Buffer } {
  const body = Buffer.from(JSON.stringify(event));
  const push = { eventId: event.eventId, eventType: event.eventType, deliveryId: 'dlv_1', attempt: 1, body };
  return { headers: pushHeaders('Lotward', [signingKey(secret), null], push, at), body };
}
