import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { STOCK_TYPE } from '../../events/index.js';
import { readOrganization } from '../../organizations/index.js';
import { derivedId } from '../../platform/ids/index.js';
import type { Sender } from '../../platform/outbound-http/index.js';
import { systemPrincipal } from '../../platform/principal.js';
import type { SecretBox } from '../../platform/secrets/index.js';
import { type ChangedFigures, readChangedFigures } from '../../stock/index.js';
import { type EndpointFacts, readEndpoints } from '../delivery/lease.store.js';
import { disableAfterFailures, type OutcomeOptions } from '../delivery/record-outcome.js';
import { readHeldToken, saveStanding } from '../delivery/results.store.js';
import { transactAsWorker } from '../delivery/worker-transaction.js';
import type { EndedAttempt } from '../outcome.rules.js';
import { openHeaders } from '../sealed-headers.store.js';
import { openerFor } from '../sealed-secrets.store.js';
import { keyPairOf, keysAt, pushHeaders } from '../signing.js';
import { deliveryIdOf } from '../webhook.js';
import { afterPass, type PassResult } from './pass.rules.js';
import { claimCursor, type DueCursor, lockStanding, moveCursor } from './stock-cursor.store.js';

export interface StockPushOptions extends OutcomeOptions {
  /** Opens the sealed secrets of webhooks. */
  box: SecretBox;
  senderFor(orgId: string): Promise<Sender>;
}

const ROWS_MAX = 500;
const AT_ONCE = 10;
/** No push begins later than this in a pass, because a lease that is not renewed must cover it. */
const PASS_MS = 5_000;
const LEASE_MARGIN_MS = 10_000;
const SENDER = 'webhooks@lotward.invalid';

interface Row {
  position: number;
  figures: ChangedFigures;
}

/**
 * Pushes the next rows of the feed of stock changes to one webhook, under a lease, and moves its cursor past those that were
 * delivered. A process that dies before that leaves the cursor: the same rows are pushed again, with the same ids.
 */
export async function runPass(
  options: StockPushOptions,
  { orgId, webhookId }: DueCursor,
  signal: AbortSignal,
): Promise<void> {
  const { database, policy } = options;
  const token = randomBytes(12).toString('base64url');
  const claimed = await transactAsWorker(database, orgId, async (tx) => {
    const leaseNow = database.time.now();
    const until = new Date(leaseNow.getTime() + PASS_MS + policy.timeoutMs + LEASE_MARGIN_MS);
    const heldToken = await readHeldToken(tx, token);
    return claimCursor(tx, webhookId, { heldToken, until, now: database.clock.now(), leaseNow });
  });
  if (!claimed) return;
  const [facts] = await readEndpoints(database.worker, [{ orgId, webhookId }]);
  const result: PassResult = { ...claimed, attempts: [], hasFailed: false };
  if (facts?.status === 'enabled') {
    const { rows, reached } = await readRows(options, facts, claimed.position);
    Object.assign(result, await pushRows(options, facts, { rows, tries: claimed.tries }, signal));
    const undelivered = rows.findIndex(
      (row) => !result.attempts.some((a) => a.delivered && a.position === row.position),
    );
    if (undelivered === -1) result.position = reached;
    else result.position = rows[undelivered - 1]?.position ?? claimed.position;
  }
  await savePass(options, { orgId, webhookId, token }, result, claimed.position);
}

async function readRows({ database }: StockPushOptions, facts: EndpointFacts, after: number) {
  const filter = facts.subscriptions.at(-1)?.filter;
  const organization = await readOrganization(database.reader, facts.orgId);
  const principal = systemPrincipal(facts.orgId, SENDER, organization ?? undefined);
  // Stock concerns no customer, so it never passes a filter of customers.
  const warehouses = filter?.customerCodes ? [] : (filter?.warehouses ?? null);
  const productCodes = filter?.productCodes ?? null;
  return readChangedFigures(database, principal, { after, warehouses, productCodes, limit: ROWS_MAX });
}

/** Pushes several rows concurrently, but one at a time if the next row has failed before. Stops at the first failure. */
async function pushRows(
  options: StockPushOptions,
  facts: EndpointFacts,
  { rows, tries }: { rows: readonly Row[]; tries: number },
  signal: AbortSignal,
): Promise<Pick<PassResult, 'attempts' | 'hasFailed'>> {
  const { database } = options;
  const push = await pusherFor(options, facts);
  const attempts: EndedAttempt[] = [];
  const untilMs = performance.now() + PASS_MS;
  let next = 0;
  let hasFailed = false;
  const hasOwnerEnded = () => facts.ownerEndsAt !== null && facts.ownerEndsAt < database.clock.now();
  const mayGoOn = () => !hasFailed && !signal.aborted && performance.now() < untilMs && !hasOwnerEnded();
  const inTurn = async () => {
    while (mayGoOn()) {
      const row = rows[next++];
      if (!row) return;
      const attempt = await push(row, tries + 1);
      attempts.push(attempt);
      hasFailed ||= !attempt.delivered;
    }
  };
  await Promise.all(Array.from({ length: tries > 0 ? 1 : AT_ONCE }, inTurn));
  return { attempts, hasFailed };
}

async function pusherFor({ database, box, policy, senderFor }: StockPushOptions, facts: EndpointFacts) {
  const { orgId, webhookId, callbackUrl: url } = facts;
  const sender = await senderFor(orgId);
  const pair = keyPairOf(facts, openerFor(box, orgId, webhookId));
  const own = openHeaders(box, orgId, webhookId, facts.headers);
  return async ({ position, figures }: Row, attempt: number): Promise<EndedAttempt> => {
    const at = database.clock.now();
    // A row keeps its position until it changes again, so a repeated push has the same id.
    const identity = [orgId, webhookId, position, figures.productCode, figures.warehouse, figures.changedAt];
    const eventId = derivedId('evt', JSON.stringify(identity));
    const envelope = { eventId, eventType: STOCK_TYPE, timestamp: figures.changedAt, data: figures };
    const body = Buffer.from(JSON.stringify(envelope));
    const signed = {
      eventId,
      eventType: STOCK_TYPE,
      body,
      deliveryId: deliveryIdOf(webhookId, eventId),
      attempt,
      sandbox: facts.sandbox,
    };
    const keys = keysAt(pair, facts.overlapUntil, at);
    const headers = pushHeaders(policy.headerPrefix, keys, signed, at, own);
    const { delivered, status, error, durationMs, responseExcerpt } = await sender.send({
      ...{ caller: orgId, url, headers, body },
    });
    const endedAt = database.clock.now();
    return {
      position,
      at,
      endedAt,
      durationMs: Math.round(durationMs),
      delivered,
      status,
      error,
      responseExcerpt,
    };
  };
}

async function savePass(
  options: StockPushOptions,
  { orgId, webhookId, token }: { orgId: string; webhookId: string; token: string },
  result: PassResult,
  before: number,
): Promise<void> {
  const { database, policy } = options;
  await transactAsWorker(database, orgId, async (tx) => {
    const heldToken = await readHeldToken(tx, token);
    const standing = await lockStanding(tx, webhookId);
    if (!standing) return;
    const after = afterPass(
      standing,
      { ...result, isMoved: result.position > before },
      policy,
      database.clock.now(),
    );
    if (!(await moveCursor(tx, webhookId, heldToken, after.cursor))) return;
    if (result.attempts.length > 0) await saveStanding(tx, webhookId, 0, after.standing, result.attempts);
    if (after.isDisabled) await disableAfterFailures(tx, options, webhookId);
  });
}
