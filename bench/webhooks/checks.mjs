/*
 * Checks the pushes that partners received: nothing lost or repeated, in order where that is guaranteed, signed.
 */
import { createHmac } from 'node:crypto';
import { organizationOf, secretOf, signatureOf } from './records.mjs';

const SIGNED_ONE_IN = 16;

/** One push as it arrived: the whole request. */
export function readPush(text) {
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  const body = text.slice(bodyAt);
  const header = (name) => new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(text.slice(0, bodyAt))?.[1];
  const endpoint = Number(/^POST \/hook\/(\d+) /.exec(text)?.[1]);
  return { endpoint, body, header, event: JSON.parse(body) };
}

function isSigned({ endpoint, body, header, event }, trio) {
  const secret = secretOf(endpoint);
  if (header('x-lotward-signature') !== signatureOf(secret, body)) return false;
  if (!trio) return true;
  const content = `${event.eventId}.${header('webhook-timestamp')}.${body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return header('webhook-id') === event.eventId && header('webhook-signature') === expected;
}

/**
 * `ordered`, `trio`: our pushes have more guarantees than those of a baseline. Pushes of one turn of the receiver's
 * loop were all sent before any of them was answered, which two about the same order must not be.
 */
export function findFaults(arrived, { round, count, ordered, trio }) {
  const faults = [];
  const seen = new Set();
  const latest = new Map();
  let compared = 0;
  for (const [i, { text, turn }] of arrived.entries()) {
    const push = readPush(text);
    const { endpoint, event } = push;
    const { data } = event;
    const name = `${event.eventId} to ${endpoint}`;
    if (data.round !== round || data.organization !== organizationOf(endpoint))
      faults.push(`${name}: not meant for it`);
    if (seen.has(name)) faults.push(`${name}: twice`);
    seen.add(name);
    const entity = `${endpoint} ${data.orderId}`;
    const last = latest.get(entity);
    if (ordered && last && (data.mark <= last.mark || turn === last.turn))
      faults.push(`${name}: out of order`);
    latest.set(entity, { mark: data.mark, turn });
    if (i % SIGNED_ONE_IN !== 0) continue;
    compared++;
    if (!isSigned(push, trio)) faults.push(`${name}: signature`);
  }
  if (seen.size !== count) faults.push(`round ${round}: ${seen.size} of ${count} pushes arrived`);
  return { faults, compared };
}
