import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, Refusal, Unavailable } from '../errors/index.js';
import type { Principal } from '../principal.js';
import { createServer } from './server.js';
import { SlowRefusals } from './slow-refusals.js';
import { takingTurns } from './turns.js';

const ASKED_MAX = 200;

/** Sends nothing that is to be sent later, and the time stands still, until a test says otherwise. */
let nowMs: number;
let kept: { afterMs: number; send: () => void }[];
let onKept: () => void;
let refusals: SlowRefusals;
beforeEach(() => {
  nowMs = 5_000;
  kept = [];
  onKept = () => {};
  refusals = new SlowRefusals({
    monotonicMs: () => nowMs,
    later: (send, afterMs) => {
      kept.push({ afterMs, send });
      onKept();
    },
  });
});

describe('a caller that goes on without a pause', () => {
  const CHEAP = { isLimited: false, bodyBytes: 200 };
  const LIMITED = { isLimited: true, bodyBytes: 0 };
  const LARGE = { isLimited: false, bodyBytes: 120_000 };

  it.each([
    ['refusals', CHEAP, 100, [10, 20, 30]],
    ['refusals for its rate', LIMITED, 10, [100, 200, 300]],
    ['refusals of 120,000 bytes', LARGE, 3, [200, 500, 800]],
  ])('gets so many %s at once, and the next ones later, up to a second', (_what, refused, atOnce, delays) => {
    let sent = 0;
    const refuse = (caller: string) => refusals.answer(caller, refused, () => sent++);
    for (let n = 0; n < atOnce; n++) refuse('org_a');
    expect([sent, kept.length]).toEqual([atOnce, 0]);
    for (let n = 0; n < 300; n++) refuse('org_a');
    expect(kept.slice(0, 3).map(({ afterMs }) => afterMs)).toEqual(delays);
    expect(kept.at(-1)?.afterMs).toBe(1_000);
    expect(sent).toBe(atOnce);
    refuse('org_b');
    expect(sent).toBe(atOnce + 1);
    nowMs += 2_000;
    refuse('org_a');
    expect(sent).toBe(atOnce + 2);
    for (const { send } of kept) send();
    expect(sent).toBe(atOnce + 302);
  });

  it('is not forgotten because of ten thousand others that come once', () => {
    const others = Array.from({ length: 12_000 }, (_, n) => `address ${n}`);
    for (let n = 0; n < 150; n++) refusals.answer('org_a', CHEAP, () => {});
    const keptBefore = kept.length;
    for (const [n, other] of others.entries()) {
      refusals.answer(other, CHEAP, () => {});
      if (n % 1_000 === 0) refusals.answer('org_a', CHEAP, () => {});
    }
    expect(kept.length).toBe(keptBefore + 12);
  });

  it('has no more than 2,000 refusals kept', () => {
    let sent = 0;
    for (let n = 0; n < 2_200; n++) refusals.answer('org_a', CHEAP, () => sent++);
    expect([kept.length, sent]).toEqual([2_000, 200]);
  });
});

describe('the server delays', () => {
  let app: FastifyInstance;
  let origin: string;
  beforeEach(async () => {
    app = createServer({ logger: pino({ level: 'silent' }), tls: null, trustedProxies: [], refusals });
    app.decorateRequest('principal', null);
    const failures: Record<string, () => Error> = {
      missing: () => new ApiError('missing', []),
      refused: () => new Refusal([]),
      forbidden: () => new ApiError('forbidden', []),
      limited: () => new ApiError('limited', []),
      overloaded: () => new Unavailable('overloaded', null),
    };
    const inTurn = takingTurns({ waitMs: 60_000, places: { atOnce: 2, atOncePerOwner: 1 } });
    app.post<{ Params: { org: string; failure: string } }>('/:org/:failure', {
      onRequest: (request, _reply, done) => {
        const { org } = request.params;
        if (org !== 'unknown') request.principal = { orgId: org } as Principal;
        done();
      },
      handler: inTurn(async (request) => {
        const { failure } = request.params as { failure: string };
        const thrown = failures[failure];
        if (thrown) throw thrown();
        return { done: true };
      }),
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  });
  afterEach(() => app.close());

  const ask = async (path: string, body = '{}') => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
    return response.status;
  };
  /** Asks one after the other until an answer is kept. Returns how many came at once. */
  async function countAtOnce(path: string, body?: string): Promise<number> {
    for (let n = 0; n <= ASKED_MAX; n++) {
      const isKept = new Promise<void>((resolve) => {
        onKept = resolve;
      });
      const answer = ask(path, body);
      await Promise.race([answer, isKept]);
      if (kept.length === 0) continue;
      for (const { send } of kept.splice(0)) send();
      await answer;
      return n;
    }
    return ASKED_MAX;
  }

  it.each([
    ['/a/missing', 100],
    ['/a/refused', 100],
    ['/a/forbidden', 100],
    ['/a/overloaded', 100],
    ['/a/limited', 10],
    ['/unknown/limited', 10],
    ['/no/such/path', 100],
  ])('answers of %s from the next after %i', async (path, atOnce) => {
    expect(await countAtOnce(path)).toBe(atOnce);
  });

  it('refusals of large bodies sooner, whether they are JSON or not', async () => {
    expect(await countAtOnce('/a/missing', JSON.stringify({ text: 'x'.repeat(120_000) }))).toBe(3);
    expect(await countAtOnce('/unknown/missing', `{"text":"${'x'.repeat(120_000)}`)).toBe(3);
  });

  it('refusals of one organization, not those of another, nor what succeeds', async () => {
    await countAtOnce('/a/missing');
    for (const path of ['/b/missing', '/unknown/missing', '/a/right']) await ask(path);
    expect(kept).toEqual([]);
  });

  it('a refusal without keeping the place of its organization', async () => {
    await countAtOnce('/a/missing');
    const late = ask('/a/missing');
    await expect.poll(() => kept.length, { timeout: 60_000 }).toBe(1);
    expect(await ask('/a/right')).toBe(200);
    kept[0]?.send();
    expect(await late).not.toBe(200);
  });
});
